// Ku-Ka-König as a picture: the rows with their cards outwards, everybody's collection, what is still unseen.
import { html } from "../preact-htm.js";
import { foremost, Ring } from "../clock.js";
import { long, Person } from "../people.js";
import { Badge, colour, Picture } from "../pictures.js";
import { face, say } from "../text.js";
import { Face } from "./kukakoenig_cards.js";

const t = (view, key, values = {}) => say(view.game, { key, values });

function Card({ view, card, last, goes }) {
  const name = face(view.game, card.face);
  return html`<div class="kk-card kk-${card.kind} ${last ? "outer" : ""} ${goes ? "goes" : ""}" data-keep><${Face} of=${card.face} label=${name}/><span>${name}</span></div>`;
}

// One row: its number, then the cards from inside to outside; the outermost one lies on top, in full.
function Row({ view, row }) {
  const chosen = view.players.filter((name) => view.shown && view.shown[name] === row.row);
  const state = row.differs ? "differs" : row.asked ? "asked" : row.taker ? "taken" : row.goes ? "loses" : row.needs ? "needs" : "";
  return html`<section class="kk-row ${state} ${row.cards.length ? "" : "empty"}" data-row=${row.row}>
    <h2>${row.row}${chosen.map((name) => html`<${Badge} key=${name} index=${view.players.indexOf(name)}/>`)}</h2>
    <div class="kk-stack" data-keep style=${{ "--n": Math.max(3, row.cards.length) }}>${row.cards.map((card, i) => html`<${Card} key=${card.card} view=${view} card=${card} last=${i === row.cards.length - 1} goes=${i >= row.cards.length - row.goes}/>`)}
      ${row.needs > 0 && html`<p class="kk-need">+${row.needs}${row.boxed > 0 && html` <small>${t(view, "panel.from_box", { count: row.boxed })}</small>`}</p>`}</div>
  </section>`;
}

function Collection({ view, name }) {
  const index = view.players.indexOf(name);
  const held = view.collections[name];
  const ready = view.ready.includes(name);
  const choosing = view.affected.includes(name) && ["think", "show", "beat"].includes(view.phase);
  const sum = view.scoring ? view.scoring.sums[name] : view.points[name];
  return html`<section class="kk-own ${choosing ? "choosing" : ""} ${ready ? "ready" : ""}" style=${{ "--own": colour(index) }}>
    <header><${Badge} index=${index}/><b class="name ${long(name)}" data-keep=${name.length > 12 ? undefined : ""}>${name}</b>
      ${choosing && html`<i class="kk-mark">${ready ? "✓" : "…"}</i>`}</header>
    <p class="kk-sum">${(view.stage === 2 || view.scoring) && html`<em>${sum}</em>`}<span class="count ${view.stage === 1 && held.cards >= view.thirteen ? "full" : ""}"><${Picture} of="hand" label=${t(view, "panel.cards")}/>${held.cards}${view.stage === 1 && html`<small>/${view.thirteen}</small>`}</span></p>
    <div class="kk-held">${Object.entries(held.faces).map(([of, n]) => html`<span key=${of} class="kk-${of}"><${Face} of=${of} label=${face(view.game, of)}/>${n}</span>`)}</div>
  </section>`;
}

// What nobody has seen yet: exact counts; with a made-up split only what the rulebook tells.
function Odds({ view }) {
  return html`<aside class="kk-odds" data-keep><h3>${t(view, "panel.unseen")}</h3>${view.odds.map((each) => html`<span key=${each.face} class=${each.left ? "" : "none"}><${Face} of=${each.face} label=${face(view.game, each.face)}/>${each.left}<small>/${each.total}</small></span>`)}
    <span class="kk-box"><b>${t(view, "panel.box")}</b> ${view.box}</span>
    ${view.alike.length > 0 && html`<p class="kk-alike">${[...view.alike].sort((a, b) => b.times - a.times).slice(0, 2).map((each) => html`<span>${each.pair.map((name) => html`<${Badge} index=${view.players.indexOf(name)}/>`)} <b>${each.times}×</b></span>`)}</p>`}</aside>`;
}

function Beat({ live }) {
  const clock = foremost(live.state.clocks);
  return html`<div class="kk-beat"><${Ring} live=${live} clock=${clock}><${Face} of="king"/><//></div>`;
}

// The scoring under way: types down, players across, each type appears as it is told.
function Scoring({ view }) {
  const { scoring } = view;
  return html`<div class="kk-scoring" data-keep><table><thead><tr><th>${t(view, "panel.scoring", { number: scoring.number })}</th>${view.players.map((name) => html`<th key=${name} data-keep><${Person} view=${view} name=${name}/></th>`)}</tr></thead>
    <tbody>${scoring.types.map((kind) => html`<tr key=${kind} class=${kind === scoring.type ? "now" : ""}><th>${t(view, `type.${kind}`)}</th>${view.players.map((name) => html`<td>${scoring.points[kind] ? scoring.points[kind][name] : ""}</td>`)}</tr>`)}</tbody>
    <tfoot><tr><th>${t(view, "panel.sum")}</th>${view.players.map((name) => html`<td>${scoring.sums[name]}</td>`)}</tr></tfoot></table>
    <ul>${view.players.map((name) => [name, scoring.lines.filter((line) => line.who === name)]).filter(([, lines]) => lines.length).map(([name, lines]) => html`<li key=${name}><${Person} view=${view} name=${name}/> ${reasons(view, lines)}</li>`)}</ul></div>`;
}

const reasons = (view, lines) => lines.map((line, i) => html`${i > 0 ? ", " : ""}<strong>${line.points}</strong> ${say(view.game, { key: line.why, values: line.values })}`);


// Whose red-cross cards go back now: the missing ones stand out.
function Returns({ view }) {
  const { returns } = view;
  const missing = new Set(returns.missing.map((card) => card.card));
  return html`<div class="kk-returns" data-keep><p><${Person} view=${view} name=${returns.player}/></p>
    <div class="kk-cards">${returns.cards.map((card) => html`<div key=${card.card} class=${missing.has(card.card) ? "" : "there"}><${Card} view=${view} card=${card} last/></div>`)}</div>
    ${returns.waiting.length > 0 && html`<p class="quiet">${returns.waiting.map((name) => html`<${Person} view=${view} name=${name}/> `)}</p>`}</div>`;
}

// Score only: one collection after the other, and what goes back to the box.
function Tally({ view }) {
  const here = view.places.find((each) => each.place === view.place);
  const count = (cards) => Object.entries(cards.reduce((all, of) => ({ ...all, [of]: (all[of] || 0) + 1 }), {}));
  return html`<main class="kk kk-tally fit">${view.places.map((each) => html`<section key=${each.place} class="kk-own ${each === here ? "choosing" : ""}" style=${{ "--own": colour(view.players.indexOf(each.place.split(":")[1])) }}>
    <header><${Badge} index=${view.players.indexOf(each.place.split(":")[1])}/><b class="name">${each.place.split(":")[1]}</b><span class="count">${each.cards.length}</span></header>
    <div class="kk-held">${count(each.cards).map(([of, n]) => html`<span><${Face} of=${of} label=${face(view.game, of)}/>${n}</span>`)}</div></section>`)}</main>`;
}

export function Board({ live }) {
  const { view } = live.state;
  if (view.places) return html`<${Tally} view=${view}/>`;
  const middle = view.phase === "score" ? html`<${Scoring} view=${view}/>` : view.phase === "keep" && view.returns ? html`<${Returns} view=${view}/>`
    : html`<div class="kk-rows">${view.rows.map((row) => html`<${Row} key=${row.row} view=${view} row=${row}/>`)}</div>`;
  return html`<main class="kk fit ${view.final ? "final" : ""}"><div class="kk-top" data-keep>${middle}${view.phase === "beat" && html`<${Beat} live=${live}/>`}</div>
    <div class="kk-bottom">${view.players.map((name) => html`<${Collection} key=${name} view=${view} name=${name}/>`)}<${Odds} view=${view}/></div></main>`;
}
