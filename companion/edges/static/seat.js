// A player's phone: what the table waits for from this player, as big buttons; own secrets only while held.
import { html, render, useEffect, useRef, useState } from "./preact-htm.js";
import { foremost, left } from "./clock.js";
import { Live } from "./live.js";
import { seat } from "./panels.js";
import { sentence } from "./people.js";
import { Badge, Picture } from "./pictures.js";
import { does, has, knows, language, load, named, newest, presses as pressable, question, say, w } from "./text.js";

const SIZES = [1, 1.2, 1.45];
let told = null; // the last answer, shown for a while
let timer = 0;
let repaint = () => {};

const stored = (key, usual) => { try { return localStorage.getItem(key) ?? usual; } catch { return usual; } };
const store = (key, value) => { try { localStorage.setItem(key, value); } catch { /* a private window forgets */ } };

// To the page for joining, once: whoever leaves also hears from the table that the seat is free, and a second
// navigation would break the first one off.
let leaving = false;
addEventListener("pageshow", (event) => { if (event.persisted) leaving = false; }); // come back to by "back"
function toJoin() {
  if (!leaving) location.replace("/j");
  leaving = true;
}

function tell(text, good) {
  told = { text, good };
  clearTimeout(timer);
  timer = setTimeout(() => { told = null; repaint(); }, 4000);
  repaint();
}

// Ask for something in this player's name; says what came of it.
export async function act(live, what, args) {
  const { state } = live;
  const answer = await live.command(what, { player: state.me, ...args });
  const known = w(`no.${answer.code}`);
  if (answer.ok) tell(w("done"), true);
  else if (answer.refusal) tell(say(state.game, answer.refusal), false);
  else tell(known.startsWith("no.") ? answer.text : known, false);
  return answer.ok;
}

// What only this player may see: shown while a finger rests on it, gone when it is lifted.
export function Held({ children, label }) {
  const [held, hold] = useState(false);
  const off = () => hold(false);
  useEffect(() => { const hide = () => document.hidden && off(); document.addEventListener("visibilitychange", hide); return () => document.removeEventListener("visibilitychange", hide); }, []);
  return html`<div class="held ${held ? "open" : ""}" tabindex="0" role="button" aria-pressed=${held} onPointerDown=${(e) => { e.preventDefault(); e.currentTarget.setPointerCapture(e.pointerId); hold(true); }}
    onPointerUp=${off} onPointerCancel=${off} onKeyDown=${(e) => e.key === " " && hold(true)} onKeyUp=${off} onBlur=${off} onContextMenu=${(e) => e.preventDefault()}>
    ${held ? children : html`<span>${label || w("hold_to_see")}</span>`}</div>`;
}

function Clock({ live }) {
  const clock = foremost(live.state.clocks);
  const bar = useRef(null);
  useEffect(() => {
    if (!clock) return undefined;
    let frame = 0;
    const draw = () => {
      if (bar.current) bar.current.style.transform = `scaleX(${left(live, clock) / clock.total})`;
      frame = requestAnimationFrame(draw);
    };
    draw();
    return () => cancelAnimationFrame(frame);
  }, [clock && clock.name, clock && clock.lap, clock && clock.ends]);
  return html`<div class="clock" aria-hidden="true">${clock && html`<div ref=${bar}/>`}</div>`;
}

function Question({ live, cue }) {
  const { state } = live;
  const many = cue.options.length > 4;
  return html`<section><h2>${question(state.game, cue.cue)}${cue.secret && html` <small>${w("secret")}</small>`}</h2><div class="choices ${many ? "many" : ""}">${cue.options.map((name) => html`<div class="option" key=${name}><button class="big" data-cue=${cue.cue} data-option=${name}
    onClick=${() => act(live, "choose", { cue: cue.cue, option: name })}>${named(state, name, cue.options)}</button>${does(state, name) && html`<small class="quiet does">${does(state, name)}</small>`}</div>`)}</div></section>`;
}

// `own`: the questions that the game's own module asks by itself.
function Cues({ live, own }) {
  const { state } = live;
  const all = (state.cues || []).filter((cue) => cue.is !== "choose" || !own.includes(cue.cue));
  const cues = all.filter((cue) => !cue.aside), aside = all.filter((cue) => cue.aside);
  return html`${cues.length ? html`<${Asked} live=${live} cues=${cues}/>` : !own.length && html`<p class="quiet wait">${state.over ? w("over") : w("nothing_to_do")}</p>`}
    ${aside.length > 0 && html`<details class="settings"><summary>${w("aside")}</summary><div class="choices"><${Asked} live=${live} cues=${aside} small/></div></details>`}`;
}

// `small`: nobody waits for it.
function Asked({ live, cues, small }) {
  const { state } = live;
  const presses = pressable(state.game, cues);
  return html`${cues.filter((cue) => cue.is === "choose").map((cue) => html`<${Question} key=${cue.cue} live=${live} cue=${cue}/>`)}
    ${presses.map((cue) => html`<button key=${cue.button + cue.why} class=${small ? "big" : "big main press"} data-button=${cue.button} onClick=${() => act(live, "press", { button: cue.button })}>${say(state.game, { key: cue.why })}</button>`)}`;
}

function Score({ view, tales }) {
  const { score } = view;
  const ranked = Object.entries(score.totals).sort((a, b) => b[1] - a[1]);
  return html`<ol class="ranks">${ranked.map(([who, total]) => html`<li class=${score.winners.includes(who) ? "winner" : ""}><span>${has(view.game, who) ? say(view.game, { key: who }) : who}</span><b>${total}</b></li>`)}</ol>${(tales || []).map((tale) => html`<p class="quiet">${say(view.game, tale)}</p>`)}`;
}

function Settings({ size, grow }) {
  const other = language() === "de" ? "en" : "de";
  const speak = async () => { store("lang", other); history.replaceState(null, "", location.pathname); await load(other); repaint(); };
  const leave = async () => { await fetch("/seat/leave", { method: "POST" }); toJoin(); };
  return html`<details class="settings"><summary>${w("settings")}</summary><div class="row">
    <button onClick=${() => grow((size + 1) % SIZES.length)}>${w("larger")}</button><button onClick=${speak}>${other === "de" ? "Deutsch" : "English"}</button>
    <button onClick=${leave}>${w("stand_up")}</button></div></details>`;
}

function Playing({ live }) {
  const { state } = live;
  const { view } = state;
  const Own = seat(state, () => repaint());
  const said = newest((state.captions || []).map((each) => say(state.game, each)));
  return html`<p class="prompt" aria-live="polite">${state.paused ? w("resting") : sentence(view)}</p><${Clock} live=${live}/>
    ${state.refusal ? html`<p class="refusal" role="alert">${say(state.game, state.refusal)}</p>` : html`<p class="caption" aria-live="polite">${said}</p>`}
    ${state.made_up && html`<p class="quiet">${say("", { key: "made_up" })}</p>`}
    ${Own && html`<${Own} live=${live} act=${act} Held=${Held}/>`}
    ${view.score ? html`<${Score} view=${view} tales=${state.tales}/>` : html`<${Cues} live=${live} own=${(Own && Own.answers) || []}/>`}`;
}

function App({ live }) {
  const { state, status } = live;
  const [, tick] = useState(0);
  const [size, setSize] = useState(Number(stored("size", "0")) % SIZES.length || 0);
  repaint = () => tick((n) => n + 1);
  if (status === "away") { toJoin(); return null; }
  if (!state || !knows(state.game, () => repaint())) return html`<main><p class="quiet">${w("connecting")}</p></main>`;
  const grow = (to) => { store("size", to); setSize(to); };
  const plays = state.view && state.view.players.includes(state.me);
  const index = plays ? state.view.players.indexOf(state.me) : -1;
  return html`<main class=${status === "live" ? "" : "stale"} data-size=${size} data-rev=${state.rev}>
    <header>${plays ? html`<${Badge} index=${index}/>` : html`<${Picture} of="hand"/>`}<h1>${state.me}</h1>${status !== "live" && html`<b class="ill" role="status">${w("stale")}</b>`}</header>
    ${plays ? html`<${Playing} live=${live}/>` : html`<p class="wait">${w("wait_for_game")}</p>`}
    <${Settings} size=${size} grow=${grow}/>
    ${told && html`<p class="told ${told.good ? "" : "no"}" role="status">${told.text}</p>`}</main>`;
}

async function start() {
  for (;;) {
    try {
      await load(language());
      break;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 1000)); // the phone may wake before the companion
    }
  }
  document.querySelector("noscript").remove();
  new Live("seat", (live) => render(html`<${App} live=${live}/>`, document.body));
}
start();
