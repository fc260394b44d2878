// Koala & Wine as a picture: glasses face down in their rows, protections, the thief's aim, the chance of black.
// Nothing here knows what a glass holds; only the map after the game does.
import { html } from "../preact-htm.js";
import { foremost, Ring } from "../clock.js";
import { long, Person } from "../people.js";
import { Badge, colour } from "../pictures.js";
import { face, longest, say } from "../text.js";

const WINES = { red: "#b3243f", rose: "#f08fab", white: "#efe3a1" };
const word = (view, key, values) => say(view.game, { key, values });

const bowl = "M30 14H70Q76 46 54 56V78H66V86H34V78H46V56Q24 46 30 14Z";

function Glass({ wine }) {
  const fill = wine ? WINES[wine] : "none";
  return html`<svg class="glass" viewBox="0 0 100 100" aria-hidden="true"><path d="M33 30H67Q66 46 50 52 34 46 33 30Z" fill=${fill}/>
    <path d=${bowl} fill="none" stroke="currentColor" stroke-width="6" stroke-linejoin="round"/></svg>`;
}

// One glass face down, with the number of its place as its owner counts.
function Back({ slot, aimed, aged }) {
  return html`<span class="back ${aimed ? "aimed" : ""} ${aged ? "aged" : ""}"><${Glass}/><i>${slot}</i></span>`;
}

const slots = (count) => Array.from({ length: count }, (_, i) => i + 1);

function Shield({ view, label }) {
  return html`<svg class="shield" viewBox="0 0 100 100" role="img" aria-label=${word(view, label)}><path d="M50 6L90 20V50Q88 82 50 96 12 82 10 50V20Z" fill="currentColor"/></svg>`;
}

function Row({ view, row }) {
  const index = view.players.indexOf(row.player);
  const aim = view.target && view.target[0] === row.player ? view.target[1] : 0;
  const attacked = aim > 0 && view.phase.startsWith("stop_");
  const waits = (view.waiting_for || []).includes(row.player) && view.waiting_for.length < view.players.length;
  const shows = view.asked.includes(row.player);
  const look = [row.out && "gone", view.turn === row.player && "turn-of", attacked && "attacked", waits && "waits", shows && "shows"].filter(Boolean).join(" ");
  return html`<section class="wine-row ${look}" data-keep style=${{ "--own": colour(index) }}>
    <p><${Badge} index=${index}/><b class=${long(row.player)} data-keep=${row.player.length > 12 ? undefined : ""}>${row.player}</b>
      ${row.vintage && html`<${Shield} view=${view} label="panel.vintage"/>`}
      ${row.out ? html`<em>${word(view, "panel.out")}</em>` : html`<span class="held">${view.hands[row.player]}</span>`}</p>
    <div class="backs ${row.glasses > 6 ? "many" : ""}">${slots(row.glasses).map((slot) => html`<${Back} key=${slot} slot=${slot} aimed=${slot === aim} aged=${slot === row.aged}/>`)}</div>
  </section>`;
}

// Seats stand clockwise: the first one upper left, half of them down the right side, the others up the left.
function sides(rows) {
  const right = Math.floor(rows.length / 2);
  return [[rows[0], ...rows.slice(right + 1).reverse()], rows.slice(1, right + 1)];
}

const CLASS = {
  thieves: "thief", stop: "stop", sommelier: "black", lobbyists: "black", wine_fair: "black", farandole: "black", auction: "black",
  charity: "blue", blind_test: "blue", vintage: "blue", contest: "blue", ageing: "blue",
};

// The card in play: its class as a colour, its name, and as a triangle the wine that it asks for.
function Card({ view }) {
  if (!view.card) return html`<div class="wine-card none"><${Glass}/></div>`;
  return html`<div class="wine-card ${CLASS[view.card] || "green"}"><span style=${{ "--longest": longest(face(view.game, view.card)) }}>${face(view.game, view.card)}</span>
    ${view.wine && html`<svg viewBox="0 0 100 60" role="img" aria-label=${face(view.game, view.wine)}><path d="M50 4L96 56H4Z" fill=${WINES[view.wine]} stroke="currentColor" stroke-width="4"/></svg><b>${face(view.game, view.wine)}</b>`}</div>`;
}

function Chance({ view }) {
  return html`<div class="chance" role="img" aria-label=${`${word(view, "panel.black")}: ${view.chance} %`}>
    <div class="bar"><i style=${{ width: `${view.chance}%`, background: `hsl(${120 - 1.2 * view.chance} 55% 52%)` }}/></div><strong>${view.chance.toFixed(1)} %</strong><span>${word(view, "panel.black")}</span></div>`;
}

function Limits({ view }) {
  const { limits } = view;
  if (!limits) return html`<p class="limits"/>`;
  const chip = (kind, count, text) => html`<span class="chip ${kind} ${count ? "used" : ""}">${text}${count > 1 ? ` ${count}` : ""}</span>`;
  return html`<p class="limits">${limits.first ? html`<span class="chip first">${word(view, "panel.first")}</span>` : null}
    ${chip("green", limits.greens, word(view, "panel.green"))}${chip("thief", limits.thieves, word(view, "panel.thief"))}${chip("blue", limits.blues, word(view, "panel.blue"))}
    ${limits.discard > 0 ? html`<span class="chip must">${word(view, "panel.discard", { count: limits.discard })}</span>` : null}</p>`;
}

function Away({ view }) {
  return html`<div class="away"><svg viewBox="0 0 100 60" aria-hidden="true"><path d="M4 22Q50 62 96 22M20 36L12 48M38 43L34 56M62 43L66 56M80 36L88 48" fill="none" stroke="currentColor" stroke-width="6" stroke-linecap="round"/></svg>
    <p>${word(view, "panel.camera_away")}</p></div>`;
}

function Middle({ live, view }) {
  const aim = view.target && view.target[0] === "middle" ? view.target[1] : 0;
  const centre = view.camera === "away" ? html`<${Away} view=${view}/>` : html`<${Ring} live=${live} clock=${foremost(live.state.clocks)}><${Card} view=${view}/><//>`;
  return html`<div class="wine-middle" data-keep>${centre}
    ${view.middle ? html`<div class="backs centre">${slots(view.middle).map((slot) => html`<${Back} key=${slot} slot=${slot} aimed=${slot === aim}/>`)}</div>` : null}
    <${Chance} view=${view}/>${view.camera !== "away" && html`<${Limits} view=${view}/>`}
    ${view.lost > 0 && html`<p class="lost"><${Glass}/>${view.lost} ${word(view, "panel.lost")}</p>`}</div>`;
}

function Stop({ view, owner }) {
  if (owner === "lost") return html`<em>${word(view, "map.lost")}</em>`;
  if (owner === "middle") return html`<em>${face(view.game, "middle")}</em>`;
  return html`<${Badge} index=${view.players.indexOf(owner)}/>`;
}

// Where each glass went, and who remembered well.
function Memory({ view, tales }) {
  const { glasses, players } = view.map;
  return html`<main class="wine-map fit"><section><h2>${word(view, "map.title")}</h2>
    <ul>${glasses.map((glass) => html`<li key=${glass.glass} title=${glass.wine ? face(view.game, glass.wine) : word(view, "map.unknown")}>
      <${Glass} wine=${glass.wine}/><b>${glass.wine ? face(view.game, glass.wine) : "?"}${glass.unsure ? " ~" : ""}</b>
      ${glass.way.map(([, owner], i) => html`${i ? html`<i>→</i>` : null}<${Stop} view=${view} owner=${owner}/>`)}</li>`)}</ul>
    ${glasses.some((glass) => glass.unsure) && html`<p class="quiet">~ ${word(view, "map.unsure")}</p>`}</section>
    <section><h2>${word(view, "map.who")}</h2>
    <ol>${players.map((each) => html`<li key=${each.player}><${Person} view=${view} name=${each.player}/><strong>${each.hits}</strong> ${word(view, "map.hits")} <span class="quiet">${each.misses} ${word(view, "map.misses")}</span></li>`)}</ol>
    ${(tales || []).map((tale) => html`<p class="quiet">${say(view.game, tale)}</p>`)}</section></main>`;
}

export function Board({ live }) {
  const view = live.state.view;
  if (view.map) return html`<${Memory} view=${view} tales=${live.state.tales}/>`;
  const [left, right] = sides(view.rows);
  return html`<main class="wine-board fit"><div class="side" data-keep>${left.map((row) => html`<${Row} key=${row.row} view=${view} row=${row}/>`)}</div>
    <${Middle} live=${live} view=${view}/>
    <div class="side" data-keep>${right.map((row) => html`<${Row} key=${row.row} view=${view} row=${row}/>`)}</div></main>`;
}
