// Beginning a game on the operator's page: which game, who sits where, and by which rulings.
import { html, useEffect, useState } from "./preact-htm.js";
import { setup } from "./panels.js";
import { Badge } from "./pictures.js";
import { face, has, knows, say, w } from "./text.js";

// What a choice is called: in the words of its own ruling, else in those of its game.
function choiceWords(game, item, choice) {
  const own = `${item.phrase}.${choice}`;
  return has(game, own) ? say(game, { key: own }) : has(game, choice) ? face(game, choice) : String(choice);
}

function Choice({ item, game, chosen, choose }) {
  const named = has(game, item.phrase) ? say(game, { key: item.phrase }) : item.id;
  const name = /-AMB-/.test(item.id) ? html`${named} <small>${item.id}</small>` : named;
  const current = item.id in chosen ? chosen[item.id] : item.default;
  if (typeof item.default === "boolean") return html`<label class="check"><input type="checkbox" checked=${current} onChange=${(e) => choose(item.id, e.target.checked)}/>${name}</label>`;
  if (!item.allowed.length) return html`<label><span>${name}</span><input type="number" min="0" max="3600" step="any" value=${current} onChange=${(e) => choose(item.id, Number(e.target.value))}/></label>`;
  // A choice in many words has the whole width, and what is chosen stands below where even that is too narrow.
  const long = item.allowed.some((value) => choiceWords(game, item, value).length > 24);
  return html`<label class=${long ? "long-words" : ""}><span>${name}</span><select value=${current} onChange=${(e) => choose(item.id, e.target.value)}>${item.allowed.map((value) => html`<option value=${value}>${choiceWords(game, item, value)}</option>`)}</select>${long && html`<small class="quiet">${choiceWords(game, item, current)}</small>`}</label>`;
}

// No name is longer than the table takes: what is typed beyond it does not come into the field.
const NAME = 24;
const short = (text) => text.replace(/[^\n,;]+/g, (name) => [...name].slice(0, NAME + name.length - name.trimStart().length).join(""));

// Names in the order of their seats: dragged, or moved by arrows; typed below.
function Seating({ names, set }) {
  const [typed, type] = useState("");
  const [held, hold] = useState(null);
  const move = (from, to) => { if (to < 0 || to >= names.length || from === to) return; const next = [...names]; next.splice(to, 0, ...next.splice(from, 1)); set(next); };
  // A finger or a mouse alike: the row goes where the pointer is.
  const grip = (e, name) => { if (e.target.closest("button") || (e.pointerType === "touch" && !e.target.closest(".grip"))) return; e.preventDefault(); e.currentTarget.parentElement.setPointerCapture(e.pointerId); hold(name); };
  const over = (e) => {
    if (held === null) return;
    const below = document.elementsFromPoint(e.clientX, e.clientY).find((each) => each.dataset && each.dataset.seat);
    if (below) move(names.indexOf(held), Number(below.dataset.seat));
  };
  const [twice, say] = useState([]); // names that were given before
  const add = (event) => {
    event.preventDefault();
    const given = typed.split(/[\n,;]+/).map((name) => name.trim()).filter(Boolean);
    const fresh = [...new Set(given)].filter((name) => !names.includes(name));
    say([...new Set(given.filter((name, i) => names.includes(name) || given.indexOf(name) !== i))]);
    set([...names, ...fresh]);
    type("");
  };
  return html`<div class="seating"><span class="quiet">${w("players")}</span><ol onPointerMove=${over} onPointerUp=${() => hold(null)} onPointerCancel=${() => hold(null)}>${names.map((name, i) => html`<li key=${name} data-seat=${i} class=${held === name ? "dragged" : ""}
      onPointerDown=${(e) => grip(e, name)}><i class="grip" aria-hidden="true">⠿</i><${Badge} index=${i}/><b>${name}</b>
      <button aria-label=${w("earlier", { name })} onClick=${() => move(i, i - 1)}>↑</button><button aria-label=${w("later", { name })} onClick=${() => move(i, i + 1)}>↓</button><button aria-label=${w("not_playing", { name })} onClick=${() => set(names.filter((each) => each !== name))}>×</button></li>`)}</ol>
    <form class="row" onSubmit=${add}><input aria-label=${w("add_name")} placeholder=${w("add_name")} autocomplete="off" maxlength="400" value=${typed} onInput=${(e) => { e.target.value = short(e.target.value); type(e.target.value); say([]); }}/><button>+</button></form>
    ${twice.length > 0 && html`<p class="refusal" role="alert">${w("name_twice", { names: twice.join(", ") })}</p>`}</div>`;
}

export function Opening({ live, act, repaint }) {
  const { state } = live;
  const [games, setGames] = useState([]);
  const [game, setGame] = useState(null);
  const [names, setNames] = useState(state.view ? state.view.players : []);
  const [chosen, setChosen] = useState({});
  useEffect(() => { fetch("/op/games").then((answer) => answer.json()).then((list) => { setGames(list); setGame(game || (state.view && state.view.game) || (list.find((each) => each.game === "koala") || list[0] || { game: null }).game); }); }, []);
  knows(game, repaint);
  const entry = games.find((each) => each.game === game);
  const people = names;
  const [doubt, ask] = useState(null); // the game under way that is asked about: whether it is to be given up
  const open = async (instead) => { ask(null); await act(live, "open", { game, players: people, options: chosen, seed: crypto.getRandomValues(new Uint32Array(1))[0], instead }); };
  const busy = Boolean(state.view) && state.cues.length > 0 && `${state.game} ${state.view.players}`;
  const simple = entry ? entry.options.filter((item) => typeof item.default === "boolean") : [];
  const rare = entry ? entry.options.filter((item) => typeof item.default !== "boolean") : [];
  const choose = (id, value) => setChosen({ ...chosen, [id]: value });
  const Setup = entry && entry.setup ? setup(game, repaint) : null;
  const choice = (item) => html`<${Choice} key=${item.id} item=${item} game=${game} chosen=${chosen} choose=${choose}/>`;
  return html`<section><details open=${!state.view}><summary><h2>${w("new_game")}</h2></summary>
    <div class="grid"><label><span>${w("game")}</span><select value=${game} onChange=${(e) => { setGame(e.target.value); setChosen({}); }}>${games.map((each) => html`<option value=${each.game}>${face(each.game, each.game)}</option>`)}</select></label>${simple.map(choice)}</div>
    ${Setup && html`<${Setup} chosen=${chosen} choose=${choose}/>`}
    <${Seating} names=${names} set=${setNames}/>
    ${state.phones.length > 0 && html`<div class="row"><button onClick=${() => setNames(state.phones)}>${w("take_names", { count: state.phones.length })}</button></div>`}
    ${rare.length > 0 && html`<details><summary>${w("rulings")}</summary><div class="grid">${rare.map(choice)}</div></details>`}
    <div class="row"><button class="main" disabled=${!game || !people.length} onClick=${() => (busy ? ask(busy) : open(false))}>${w("open", { count: people.length })}</button></div>
    ${doubt && doubt === busy && html`<div class="preview-step" role="alertdialog" aria-label=${w("give_up")}><p>${w("under_way", { game: face(state.game, state.game) })}</p>
      <div class="row"><button onClick=${() => ask(null)}>${w("play_on")}</button><button onClick=${() => open(true)}>${w("give_up")}</button></div></div>`}</details></section>`;
}
