// The table screen: what everybody may see, big enough to be read from across the room.
import { html, render, useEffect, useState } from "./preact-htm.js";
import { fit, fitting, glance } from "./fit.js";
import { Live } from "./live.js";
import { Replay } from "./replay.js";
import { board } from "./panels.js";
import { Person, rare, sentence } from "./people.js";
import { Picture } from "./pictures.js";
import { Result } from "./score.js";
import { face, has, knows, language, load, newest, say, w } from "./text.js";

const look = new URLSearchParams(location.search).get("look");
if (look === "dark" || look === "light") document.documentElement.dataset.look = look;

function Turn({ view }) {
  const waiting = view.waiting_for || [];
  if (!waiting.length) return null;
  if (waiting.length <= 2) return html`<div class="turn" data-keep>${waiting.map((name) => html`<${Person} view=${view} name=${name}/>`)}</div>`;
  return html`<div class="turn quiet" data-keep>${rare(view) ? w("may_press", { count: waiting.length }) : w("everybody")}</div>`;
}

function Top({ view, madeUp, join, phones }) {
  const phase = has(view.game, `phase.${view.phase}`) ? say(view.game, { key: `phase.${view.phase}` }) : view.phase;
  const missing = join && view.players.some((name) => !(phones || []).includes(name));
  return html`<header class="fit"><h1>${phase}</h1>${!view.score && html`<${Turn} view=${view}/>`}
    <div class="numbers">${(madeUp || missing) && html`<p class="aside">${madeUp && html`<span class="made-up">${say("", { key: "made_up" })}</span>`}
      ${missing && html`<span class="join-small">${join.at} <b>${join.code}</b></span>`}</p>`}
      <p>${view.round !== undefined && html`<span>${w("round")} <b>${view.round}</b></span>`}
      ${view.pile !== undefined && html`<span><${Picture} of="pile" label=${w("pile")}/><b>${view.pile}</b></span>`}</p></div></header>`;
}

let spoken = []; // what was said last stays to be read until something else is said

const CALM_MS = 60_000; // so long a table without sound says so; then it stands on the operator's page only

// That not everything is heard, short and calm: why, and what helps, is for whoever leads.
function Unheard({ silent }) {
  const [told, tell] = useState(false);
  useEffect(() => {
    if (!silent) return undefined;
    tell(true);
    const timer = setTimeout(() => tell(false), CALM_MS);
    return () => clearTimeout(timer);
  }, [silent]);
  return silent && told ? html`<p class="trouble calm" role="status">${w("unheard")}</p>` : null;
}

// The caption is what was said last; a mistake takes its place until something is right again.
function Bottom({ state, view }) {
  const { refusal } = state;
  if ((state.captions || []).length) spoken = state.captions;
  const trouble = Object.entries(state.health || {});
  const said = newest(spoken.map((each) => say(state.game, each)));
  return html`<footer class="fit">
    <p class="prompt" aria-live="polite">${state.paused ? w("resting") : sentence(view)}</p>
    ${refusal ? html`<p class="caption refusal" data-keep role="alert"><i>!</i>${say(state.game, refusal)}</p>` : html`<p class="caption" data-keep aria-live="polite">${said}</p>`}
    <${Unheard} silent=${Boolean(state.silent)}/>
    ${trouble.map(([device, text]) => html`<p class="trouble">${w("trouble", { device, text })}</p>`)}
  </footer>`;
}

// How a phone comes to the table: a code to scan, and the same address in letters and figures.
function Joining({ join }) {
  if (!join) return null;
  return html`<div class="joining"><img src="/join.svg?${join.code}" alt=${w("join_code")}/><p>${w("join_at")} <b>${join.at}</b><br/>${w("join_with")} <b class="code">${join.code}</b></p></div>`;
}

function Nobody({ join }) {
  return html`<div class="nobody-plays fit"><img class="icon" src="/static/icon.svg" alt=""/><h1>${w("no_game")}</h1><p>${w("open_at")} <b>${location.host}/op</b></p><${Joining} join=${join}/></div>`;
}

// A game without a picture of its own: its seats are not drawn, its sentences are all there.
function Plain({ view }) {
  return html`<main class="plain fit"><h2>${face(view.game, view.game)}</h2></main>`;
}

// What moves a game that is played again.
function Reel({ reel }) {
  return html`<div class="reel"><button onClick=${() => reel.go(reel.at - 1)} aria-label=${w("step_back")}>⏮</button>
    <button onClick=${() => reel.play(!reel.playing)} aria-label=${w(reel.playing ? "pause" : "play")}>${reel.playing ? "⏸" : "▶"}</button>
    <button onClick=${() => reel.go(reel.at + 1)} aria-label=${w("step_on")}>⏭</button><button onClick=${() => reel.faster()}>×${reel.speed}</button>
    <input type="range" min="0" max=${reel.steps - 1} value=${reel.at} aria-label=${w("step")} onInput=${(e) => reel.go(Number(e.target.value))}/><span>${reel.at + 1} / ${reel.steps}</span></div>`;
}

function App({ live }) {
  const { state, status } = live;
  const again = () => live.changed(live);
  const Board = state && state.panel && board(state, again);
  if (!state || !knows(state.game, again)) return html`<div class="nobody-plays fit"><img class="icon" src="/static/icon.svg" alt=""/><p>${w("connecting")}</p></div>`;
  const view = state.view;
  const body = !view ? html`<${Nobody} join=${state.join}/>` : html`<${Top} view=${view} madeUp=${state.made_up} join=${state.join} phones=${state.phones}/>
    ${view.score ? html`<${Result} view=${view} tales=${state.tales} share=${state.join && state.join.at}/>` : Board ? html`<${Board} live=${live}/>` : html`<${Plain} view=${view}/>`}
    <${Bottom} state=${state} view=${view}/>${live instanceof Replay && html`<${Reel} reel=${live}/>`}`;
  return html`<div class="screen ${status === "live" ? "" : "stale"} phase-${view ? view.phase : "none"} ${state.over ? "over" : ""}" data-rev=${state.rev} data-game=${state.game}>${body}</div>
    ${status !== "live" && html`<div class="pill" role="status">${w("stale")}</div>`}`;
}

async function start() {
  for (;;) {
    try {
      await load(language());
      break;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 1000)); // the screen may be on before the companion
    }
  }
  document.querySelector("noscript").remove();
  const again = new URLSearchParams(location.search).get("replay");
  const draw = (live) => { glance(live.state && live.state.diagonal); render(html`<${App} live=${live}/>`, document.body); fit(); };
  fitting();
  if (again) document.body.classList.add("again");
  return again ? new Replay(again, draw) : new Live("table", draw);
}
start();
