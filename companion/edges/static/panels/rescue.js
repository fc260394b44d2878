// Koala Rescue Club as a picture: the number and its shape for the back row, thirty squares, and the ready wave.
import { html } from "../preact-htm.js";
import { foremost, Ring } from "../clock.js";
import { Badge, colour } from "../pictures.js";
import { face, say } from "../text.js";

export const word = (view, key, values) => say(view.game, { key, values });

// The circles of a shape, as they are drawn on the sheet.
export function Shape({ cells, label }) {
  if (!cells || !cells.length) return null;
  const high = 1 + Math.max(...cells.map(([row]) => row)), wide = 1 + Math.max(...cells.map(([, col]) => col));
  return html`<svg class="rescue-shape" viewBox="0 0 ${wide * 40} ${high * 40}" role="img" aria-label=${label}>
    ${cells.map(([row, col]) => html`<circle cx=${col * 40 + 20} cy=${row * 40 + 20} r="16"/>`)}</svg>`;
}

const PIPS = { 1: [[50, 50]], 2: [[28, 28], [72, 72]], 3: [[26, 26], [50, 50], [74, 74]], 4: [[28, 28], [72, 28], [28, 72], [72, 72]],
  5: [[26, 26], [74, 26], [50, 50], [26, 74], [74, 74]], 6: [[28, 22], [28, 50], [28, 78], [72, 22], [72, 50], [72, 78]] };

export function Die({ view, number }) {
  return html`<svg class="rescue-die" viewBox="0 0 100 100" role="img" aria-label=${number ? face(view.game, `die_${number}`) : "?"}>
    <rect x="5" y="5" width="90" height="90" rx="16"/>${(PIPS[number] || []).map(([x, y]) => html`<circle cx=${x} cy=${y} r="10"/>`)}
    ${!number && html`<text x="50" y="72" text-anchor="middle">?</text>`}</svg>`;
}

// The turn counter: fifteen squares a round, each with the number that was rolled.
export function Counter({ view }) {
  const square = (n) => html`<i key=${n} class=${n === view.turn ? "now" : n < view.turn ? "done" : ""}>${view.rolled[n - 1] || ""}</i>`;
  return html`<div class="rescue-counter" aria-label=${word(view, "panel.turn", { turn: view.turn })}>
    ${[0, 15].map((from) => html`<div>${Array.from({ length: 15 }, (_, i) => square(from + i + 1))}</div>`)}</div>`;
}

function Pupil({ view, name }) {
  const ready = view.ready.includes(name), away = view.away.includes(name), sheet = view.sheets[name];
  const claims = (view.claims[name] || []).length > 0;
  const look = view.phase === "draw" && ready ? "ready" : away ? "away" : claims ? "claims" : "";
  const index = view.players.indexOf(name);
  return html`<li class=${look} style=${{ "--own": colour(index) }}>${view.playing.length <= 10 && html`<${Badge} index=${index}/>`}<b class=${name.length > 12 ? "longer" : ""} data-keep=${name.length > 12 ? undefined : ""}>${name}</b>
    ${sheet.trees !== undefined && html`<small>${sheet.trees} · ${sheet.koalas}</small>`}${sheet.total > 0 && html`<em>${sheet.total}</em>`}</li>`;
}

// Who is ready: a field of names that lights up, and one number for the whole room.
function Wave({ view }) {
  const there = view.playing.filter((name) => !view.away.includes(name));
  const ready = there.filter((name) => view.ready.includes(name)).length;
  return html`<section class="rescue-wave" data-keep>${view.phase === "draw" && html`<p class="of"><b>${ready}</b> / ${there.length}</p>`}
    <ul class=${view.playing.length > 24 ? "crowd" : view.playing.length > 8 ? "many" : ""}>${view.playing.map((name) => html`<${Pupil} key=${name} view=${view} name=${name}/>`)}</ul></section>`;
}

const got = (names) => (names.length > 3 ? `${names.slice(0, 2).join(", ")} +${names.length - 2}` : names.join(", "));

function Merit({ view }) {
  return html`<ol class="rescue-badges">${view.badges.map((badge, i) => html`<li class=${badge.first ? "taken" : ""}><b>${i + 1}</b><span>${say(view.game, badge.asks)}</span>
    <strong class=${badge.first ? "gone" : ""}>${badge.points[0]}</strong><strong>${badge.points[1]}</strong><small>${got(Object.keys(badge.got))}</small></li>`)}</ol>`;
}

export function Board({ live }) {
  const view = live.state.view;
  const clock = view.phase === "badges" ? foremost(live.state.clocks) : null;
  const shown = view.phase === "roll" ? null : view.number;
  return html`<main class="rescue fit"><section class="rescue-now" data-keep><div class="rescue-shown">
      <${Die} view=${view} number=${shown}/>${clock && html`<${Ring} live=${live} clock=${clock}/>`}
      ${shown && !clock && view.shape.length > 0 && html`<${Shape} cells=${view.shape} label=${word(view, `shape.${shown}`)}/>`}</div>
      ${shown && !clock && view.map && view.map.shapes_source === "unverified" && html`<p class="quiet">${word(view, "shape.unverified")}</p>`}
      <${Counter} view=${view}/><${Merit} view=${view}/>
      ${view.map && view.map.made_up && html`<p class="quiet">${word(view, "map.made_up")}</p>`}</section>
    <${Wave} view=${view}/></main>`;
}
