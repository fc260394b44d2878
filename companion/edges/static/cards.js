// Choose cards of a zone by hand: what lies there, taken away by a tap, and what is laid, face by face.
import { html, useEffect, useState } from "./preact-htm.js";
import { Picture } from "./pictures.js";
import { face as named, w } from "./text.js";

export const faceOf = (deck, card) => (deck.find(([id]) => id === card) || [card, card])[1];
export const number = (card) => card.slice(card.lastIndexOf("-") + 1);

const freeOf = (deck, of, taken) => deck.filter(([id, face]) => face === of && !taken.includes(id)).map(([id]) => id);

// The picture of a face: `Own`, how the game draws its faces, where it does; else that of all games.
export function Drawn({ deck, of, game, Own }) {
  const [, , kind, shows] = deck.find(([, face]) => face === of) || [];
  return Own ? html`<${Own} of=${of} kind=${kind} shows=${shows || []} game=${game}/>` : html`<${Picture} of=${of}/>`;
}

const UNFOLDED = 12; // other faces that still stand beside those that are wanted

function Faces({ game, deck, Own, faces, cards, lay }) {
  return html`<div class="row faces">${faces.map((face) => html`<button class="tile" key=${face} disabled=${!freeOf(deck, face, cards).length} onClick=${() => lay(face)}><${Drawn} deck=${deck} of=${face} game=${game} Own=${Own}/>${named(game, face)}</button>`)}</div>`;
}

// Which of several equal cards was laid: the others of its face, to take its place. None of them looks chosen.
function Numbers({ game, deck, of, taken, pick }) {
  const others = freeOf(deck, faceOf(deck, of), taken);
  return others.length > 0 && html`<div class="row" role="group" aria-label=${w("another_one")}><span class="quiet">${w("laid_now", { card: `${named(game, faceOf(deck, of))} ${number(of)}` })}</span>
    ${others.map((id) => html`<button class="tile" key=${id} onClick=${() => pick(id)}>${number(id)}</button>`)}</div>`;
}

// Where a card that is typed here belongs among those that lie there now: it keeps the place of the one it was put
// instead of, else stays between its neighbours; the last one stays the last.
function placed(card, { base, cards }, start, ahead) {
  const stayed = (each) => base.includes(each) && start.includes(each);
  const at = cards.indexOf(card);
  const before = cards.slice(0, at).reverse().find(stayed), after = cards.slice(at + 1).find(stayed);
  const gap = base.slice(before ? base.indexOf(before) + 1 : 0, after ? base.indexOf(after) : base.length);
  const instead = gap.find((each) => start.includes(each));
  if (instead) return start.indexOf(instead);
  if (!after) return before || !ahead(card) ? start.length : 0;
  return before ? start.indexOf(before) + 1 : 0;
}

// What is typed here and not sent yet, laid over how the game stands now: it may have moved on meanwhile. A typed card
// was a guess at which of its face lies there: it goes once another one of that face was read.
export function over(typed, start, deck, ahead) {
  const { base, cards } = typed;
  if (base.join() === start.join()) return cards;
  const read = start.filter((card) => !base.includes(card) && !cards.includes(card)).map((card) => faceOf(deck, card));
  const guessed = (card) => { const at = read.indexOf(faceOf(deck, card)); return at >= 0 && read.splice(at, 1).length > 0; };
  const laid = cards.filter((card) => !base.includes(card) && !start.includes(card) && !guessed(card));
  const stays = start.filter((card) => !base.includes(card) || cards.includes(card));
  const all = [...laid.map((card) => [placed(card, typed, start, ahead) - 0.5, card]), ...stays.map((card) => [start.indexOf(card), card])];
  return all.sort((one, other) => one[0] - other[0]).map(([, card]) => card);
}

// `start`: how the game stands. `likely`: faces offered first; `first`: those that lie before the others. `send(cards)`
// when it is right: what it answers is the step (`rev`) by which the game knows. `stood`: what was read, no correction.
export function Cards({ game, deck, Own, start, likely, seen, send, label, exactly, stood, first = [], rev = 0 }) {
  const [typed, type] = useState({ base: start, cards: start });
  const [sent, mark] = useState(0); // the step that has all that was typed; Infinity: on its way
  const ahead = (card) => first.includes(faceOf(deck, card));
  const cards = over(typed, start, deck, ahead);
  const set = (wanted) => type({ base: start, cards: wanted });
  useEffect(() => { if (sent && rev >= sent) { set(start); mark(0); } }, [sent, rev]);
  const give = async (wanted) => { mark(Infinity); mark((await send(wanted)) || 0); };
  const [latest, last] = useState(null);
  const newest = cards.includes(latest) && latest; // the card laid last: another one of its face may be meant
  const [tapped, replace] = useState(null);
  const replaced = cards.includes(tapped) ? tapped : null; // the card that the next one takes the place of
  const known = new Set(deck.map(([, face]) => face));
  const wanted = likely.filter((face) => known.has(face));
  const others = [...known].filter((face) => !wanted.includes(face));
  const folded = wanted.length > 0 && others.length > UNFOLDED && !stood;
  const put = (card, instead) => {
    set(instead ? cards.map((each) => (each === instead ? card : each)) : ahead(card) ? [card, ...cards] : [...cards, card]);
    replace(null);
    last(card);
  };
  const lay = (face) => { const free = freeOf(deck, face, cards); put(free.find((id) => !seen.includes(id)) || free[0], replaced); };
  const same = stood && stood.join() === cards.join();
  return html`<div class="row" role="group" aria-label=${w("lies_there")}>${cards.length ? cards.map((card) => html`<button class="tile" key=${card} aria-pressed=${replaced === card}
      onClick=${() => { last(null); replace(replaced === card ? null : card); }}><${Drawn} deck=${deck} of=${faceOf(deck, card)} game=${game} Own=${Own}/>${named(game, faceOf(deck, card))} ${number(card)}</button>`) : html`<span class="quiet">${w("nothing_lies")}</span>`}</div>
    ${replaced && html`<div class="row"><b>${w("replace", { card: `${named(game, faceOf(deck, replaced))} ${number(replaced)}` })}</b>
      <button onClick=${() => { set(cards.filter((each) => each !== replaced)); replace(null); }}>${w("take_away")}</button></div>`}
    ${newest && html`<${Numbers} game=${game} deck=${deck} of=${newest} taken=${cards} pick=${(card) => put(card, newest)}/>`}
    <${Faces} game=${game} deck=${deck} Own=${Own} faces=${folded ? wanted : [...wanted, ...others]} cards=${cards} lay=${lay}/>
    ${folded && html`<details><summary>${w("other_cards")}</summary><${Faces} game=${game} deck=${deck} Own=${Own} faces=${others} cards=${cards} lay=${lay}/></details>`}
    <div class="row"><button class="main" disabled=${same || sent > 0} onClick=${() => give(cards)}>${label}</button>${same && html`<span class="quiet">${w("stood_there")}</span>`}
      ${exactly && html`<button disabled=${sent > 0} onClick=${() => give(exactly)}>${w("as_wanted")}</button>`}</div>`;
}
