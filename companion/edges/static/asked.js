// What the operator's page asks in players' names: a few questions one by one, many of one kind behind their names.
import { html, useState } from "./preact-htm.js";
import { does, named, question, w } from "./text.js";

const SIDE_BY_SIDE = 6; // so many are asked side by side; in a class they are opened by name

const asked = (state, cue) => question(state.game, cue.cue);
const kind = (cue) => cue.cue.split(".")[0]; // the questions of one desk are one kind, whichever comes next for whom

// What is answered of a question already: options marked, and others given one after the other.
const so_far = (view, cue) => ({ marked: [], given: [], ...((view && view.answers) || {})[cue] });

export function Question({ live, cue, act, who }) {
  const { state } = live;
  const { marked, given } = so_far(state.view, cue.cue);
  return html`<div><h3 class="row">${who(state, cue.player)}: ${asked(state, cue)}</h3><div class="row">${given.length > 0 && html`<b>${given.map((name) => named(state, name)).join(", ")}</b>`}${cue.options.map((name) => html`<div class="option" key=${name}><button aria-pressed=${marked.includes(name) || undefined}
    onClick=${() => act(live, "choose", { player: cue.player, cue: cue.cue, option: name })}>${named(state, name, cue.options)}</button>${does(state, name) && html`<small class="quiet does">${does(state, name)}</small>`}</div>`)}</div></div>`;
}

// What only the own phone can answer: whose, and how another phone takes the place of one that is lost.
function OwnPhone({ state, cues, who }) {
  const { join } = state;
  return html`<div><h3>${asked(state, cues[0])}</h3><p class="row">${cues.map((cue) => html`<span class="row" key=${cue.player}>${who(state, cue.player)}</span>`)}<small class="quiet">${w("own_phone")}</small></p>
    ${join && html`<p class="quiet">${w("phone_lost", { at: join.at, code: join.code })}</p>`}</div>`;
}

function Crowd({ live, cues, act, who }) {
  const [name, open] = useState(null);
  const { state } = live;
  const cue = cues.find((each) => each.player === name);
  return html`<div><h3>${asked(state, cues[0])} <small class="quiet">${w("by_name", { count: cues.length })}</small></h3>
    <div class="row">${cues.map((each) => html`<button key=${each.player} aria-expanded=${each.player === name} onClick=${() => open(each.player === name ? null : each.player)}>${who(state, each.player)}</button>`)}</div>
    ${cue && html`<div class="preview-step"><${Question} live=${live} cue=${cue} act=${act} who=${who}/></div>`}</div>`;
}

export function Questions({ live, cues, act, who }) {
  const kinds = [...new Set(cues.map(kind))];
  return kinds.map((each) => {
    const all = cues.filter((cue) => kind(cue) === each);
    const shown = all.filter((cue) => cue.options.length), own = all.filter((cue) => !cue.options.length);
    return html`<div class="asked" key=${each}>${own.length > 0 && html`<${OwnPhone} state=${live.state} cues=${own} who=${who}/>`}
      ${shown.length > SIDE_BY_SIDE ? html`<${Crowd} live=${live} cues=${shown} act=${act} who=${who}/>` : shown.map((cue) => html`<${Question} key=${cue.player + cue.cue} live=${live} cue=${cue} act=${act} who=${who}/>`)}</div>`;
  });
}
