// Choose cards of a zone by hand: what lies there, taken away by a tap, and what is laid, face by face.
import { html, useState } from "./preact-htm.js";
import { Picture } from "./pictures.js";
import { face as named, w } from "./text.js";

export const faceOf = (deck, card) => (deck.find(([id]) => id === card) || [card, card])[1];
export const number = (card) => card.slice(card.lastIndexOf("-") + 1);

function Numbers({ deck, of, taken, seen, pick }) {
  const ids = deck.filter(([, face]) => face === of).map(([id]) => id);
  const free = ids.filter((id) => !taken.includes(id));
  const unseen = free.find((id) => !seen.includes(id)) || free[0];
  return html`<div class="row">
    <button class="main" disabled=${!unseen} onClick=${() => pick(unseen)}>${w("any_new")}</button>
    ${free.map((id) => html`<button class="tile ${seen.includes(id) ? "known" : ""}" onClick=${() => pick(id)}>${number(id)}</button>`)}</div>`;
}

// `likely`: faces offered first. `send(cards)` when it is right.
export function Cards({ game, deck, start, likely, seen, send, label, exactly }) {
  const [cards, set] = useState(start);
  const [open, unfold] = useState(null); // the face whose numbers are offered
  const [replaced, replace] = useState(null); // the card that the next one takes the place of
  const faces = [...new Set([...likely, ...deck.map(([, face]) => face)])];
  const pick = (card) => {
    set(replaced ? cards.map((each) => (each === replaced ? card : each)) : [...cards, card]);
    replace(null);
    unfold(null);
  };
  return html`<div class="row" aria-label=${w("lies_there")}>${cards.length ? cards.map((card) => html`<button class="tile" key=${card} aria-pressed=${replaced === card}
      onClick=${() => replace(replaced === card ? null : card)}><${Picture} of=${faceOf(deck, card)}/>${named(game, faceOf(deck, card))} ${number(card)}</button>`) : html`<span class="quiet">${w("nothing_lies")}</span>`}</div>
    ${replaced && html`<div class="row"><b>${w("replace", { card: `${named(game, faceOf(deck, replaced))} ${number(replaced)}` })}</b>
      <button onClick=${() => { set(cards.filter((each) => each !== replaced)); replace(null); }}>${w("take_away")}</button></div>`}
    <div class="row">${faces.map((face) => html`<button class="tile" key=${face} aria-expanded=${open === face} onClick=${() => unfold(open === face ? null : face)}><${Picture} of=${face}/>${named(game, face)}</button>`)}</div>
    ${open && html`<${Numbers} deck=${deck} of=${open} taken=${cards} seen=${seen} pick=${pick}/>`}
    <div class="row"><button class="main" onClick=${() => send(cards)}>${label}</button>
      ${exactly && html`<button onClick=${() => send(exactly)}>${w("as_wanted")}</button>`}</div>`;
}
