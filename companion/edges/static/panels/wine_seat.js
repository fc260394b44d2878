// A player's phone at Koala & Wine: glasses are pointed at where they lie; everything else is asked as usual.
// The phone shows no glass from the inside: the companion does not tell, not even its owner.
import { html } from "../preact-htm.js";
import { Badge, colour } from "../pictures.js";
import { face, has, say, w } from "../text.js";

const GLASSES = ["glass", "swap", "swap_with", "look", "fine", "pass", "age", "give"]; // questions about one glass

const parted = (option) => [option.slice(0, option.lastIndexOf(":")), Number(option.slice(option.lastIndexOf(":") + 1))];

// "Mia:1", "Mia:3", "middle:2" by their owners, in the order of the rows.
function byOwner(view, options) {
  const rows = new Map([...view.players, "middle"].map((name) => [name, []]));
  for (const option of options) rows.get(parted(option)[0])?.push(option);
  return [...rows].filter(([, offered]) => offered.length);
}

function Owner({ view, name, offered, cue, choose }) {
  const index = view.players.indexOf(name);
  const called = index < 0 ? face(view.game, "middle") : name;
  return html`<div class="pick-row" style=${{ "--own": index < 0 ? "var(--rim)" : colour(index) }}><p>${index >= 0 && html`<${Badge} index=${index}/>`}<b>${called}</b></p>
    <div class="pick">${offered.map((option) => html`<button key=${option} data-cue=${cue.cue} data-option=${option} aria-label=${`${called} ${parted(option)[1]}`} onClick=${() => choose(option)}>${parted(option)[1]}</button>`)}</div></div>`;
}

export function Seat({ live, act }) {
  const { view, cues, game, over } = live.state;
  const asked = (cues || []).filter((cue) => cue.is === "choose" && GLASSES.includes(cue.cue));
  const idle = !(cues || []).length && !over;
  return html`${asked.map((cue) => html`<section key=${cue.cue}><h2>${has(game, `ask.${cue.cue}`) ? say(game, { key: `ask.${cue.cue}` }) : cue.cue}</h2>
      ${byOwner(view, cue.options).map(([name, offered]) => html`<${Owner} key=${name} view=${view} name=${name} offered=${offered} cue=${cue} choose=${(option) => act(live, "choose", { cue: cue.cue, option })}/>`)}</section>`)}
    ${view.camera === "away" && html`<p class="quiet">${say(game, { key: "panel.camera_away" })}</p>`}
    <p class="quiet">${say(game, { key: "panel.black" })}: <b>${view.chance.toFixed(1)} %</b></p>
    ${idle && html`<p class="quiet wait">${w("nothing_to_do")}</p>`}`;
}
Seat.answers = GLASSES;
