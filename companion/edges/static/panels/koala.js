// Koala as a picture: the ring of seats with their caves, the card in the middle, and who walks where.
import { html, useEffect, useLayoutEffect, useRef, useState } from "../preact-htm.js";
import { foremost, Ring } from "../clock.js";
import { long, Person, rare } from "../people.js";
import { Badge, colour, Koala, Picture } from "../pictures.js";
import { face, w } from "../text.js";

const FOODS = ["pizza", "hamburger", "spaghetti"];

// Seats stand clockwise: the first one upper left, half of them down the right side, the others up the left.
export function places(count) {
  const right = Math.floor(count / 2);
  const at = (side, i, of) => ({ side, y: of === 1 ? 0.5 : i / (of - 1) });
  return Array.from({ length: count }, (_, i) => {
    if (i === 0) return at(-1, 0, count - right);
    if (i <= right) return at(1, i - 1, right);
    return at(-1, count - i, count - right);
  });
}

function Sitting({ view, name, look, rare }) {
  const index = view.players.indexOf(name);
  const may = rare && (view.waiting_for || []).includes(name);
  return html`<div class="sitting ${look} ${may ? "may" : ""}" style=${{ "--own": colour(index) }}>
    <${Koala} colour=${look}/><${Badge} index=${index}/><b class="name ${long(name)}" data-keep=${name.length > 12 ? undefined : ""}>${name}</b>
    ${view.starter === name && html`<span class="flag" title=${w("starter")}><${Picture} of="flag" label=${w("starter")}/></span>`}
    ${view.hands && html`<span class="count hand"><${Picture} of="hand" label=${w("hand")}/>${view.hands[name]}</span>`}
    ${view.feasts && view.feasts[name] > 0 && html`<span class="count"><${Picture} of="feast" label=${w("feasts")}/>${view.feasts[name]}</span>`}
  </div>`;
}

function Seat({ view, seat, rare, here }) {
  const most = (food) => seat.food[food] > 0 && view.seats.every((other) => other.food[food] <= seat.food[food]);
  return html`<section class="seat ${seat.white ? "" : "empty"} ${here ? "here" : ""}" data-cave=${seat.cave}>
    ${seat.black && html`<${Sitting} view=${view} name=${seat.black} look="black" rare=${rare}/>`}
    ${seat.white ? html`<${Sitting} view=${view} name=${seat.white} look="white" rare=${rare}/>` : html`<div class="sitting nobody">${w("nobody")}</div>`}
    <div class="cave"><i>${seat.cave.toUpperCase()}</i>${FOODS.map((food) => html`<span class="food ${seat.food[food] ? "" : "none"} ${most(food) ? "most" : ""}">
      <${Picture} of=${food} label=${face(view.game, food)}/>${seat.food[food]}</span>`)}</div>
  </section>`;
}

function Stakes({ view }) {
  const { middle } = view;
  const won = 1 + middle.pot + middle.bonus.length;
  const claims = middle.claims.length
    ? html`<p class="claims">${middle.claims.map((claim, i) => html`<span class=${i ? "later" : "first"}>${claim.map((name) => html`<${Person} view=${view} name=${name}/>`)}</span>`)}</p>`
    : null;
  return html`<div class="stakes">
    <p class="leads">${middle.leader.length ? html`${middle.leader.map((name) => html`<${Person} view=${view} name=${name}/>`)}<span class="bid">${middle.bid}</span>` : html`<span class="quiet">${w("no_bid")}</span>`}</p>
    <p class="next">${w("next_bid")} <strong>${middle.next}</strong></p>
    ${claims || html`<p class="quiet pot">${w("to_win", { count: won })}${middle.bonus.map((food) => html`<${Picture} of=${food}/>`)}</p>`}
  </div>`;
}

// What the middle of the table is about now: a picture, and one line under it.
function topic(view) {
  if (view.card) return [view.card, face(view.game, view.card), view.owner];
  if (view.feast) return ["feast", null, view.feast.player];
  if (view.refill) return ["hand", `+${view.refill.draw}`, view.refill.player];
  if (view.middle && view.middle.food) return [view.middle.food, null, null];
  if (view.phase === "reveal" || view.phase === "deal") return ["pile", null, null];
  if (view.phase.startsWith("scan")) return ["card", null, null];
  if (view.place) return ["card", String((view.places.find((p) => p.place === view.place) || { cards: [] }).cards.length), null];
  return [view.phase.includes("team") ? "team" : view.phase.includes("action") ? "bump" : "card", null, null];
}

function Middle({ live, view }) {
  const clock = foremost(live.state.clocks);
  const [of, line, who] = topic(view);
  const auction = view.phase === "auction" || view.phase === "call";
  return html`<div class="middle" data-keep><${Ring} live=${live} clock=${clock}><${Picture} of=${of} label=${face(view.game, of)}/><//>
    ${auction ? html`<${Stakes} view=${view}/>` : html`<div class="stakes">${who && html`<p class="leads"><${Person} view=${view} name=${who}/></p>`}${line && html`<p class="next">${line}</p>`}
      ${view.feast && html`<p class="feast-foods">${view.feast.foods.map((food) => html`<${Picture} of=${food} label=${face(view.game, food)}/>`)}</p>`}</div>`}
  </div>`;
}

// A curve from seat to seat that bends towards the middle; returns its path, its tip and its half-way point.
function curve(from, to, box, k) {
  const mid = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  const pull = from.x === to.x ? 0.62 : 0.25;
  const bend = { x: mid.x + (box.w / 2 - mid.x) * pull, y: mid.y + (box.h / 2 - mid.y) * (from.x === to.x ? 0.1 : 0.25) };
  const away = Math.atan2(to.y - bend.y, to.x - bend.x);
  const tip = { x: to.x, y: to.y, angle: away };
  const half = { x: (from.x + 2 * bend.x + to.x) / 4, y: (from.y + 2 * bend.y + to.y) / 4 };
  const back = { x: to.x - 22 * k * Math.cos(away), y: to.y - 22 * k * Math.sin(away) };
  return { path: `M${from.x} ${from.y}Q${bend.x} ${bend.y} ${back.x} ${back.y}`, tip, half };
}

function Walk({ view, move, spots, box, lane }) {
  const from = spots[move.from], to = spots[move.to];
  if (!from || !to) return null;
  const index = view.players.indexOf(move.player);
  const shift = move.becomes === "black" ? -1 : 1;
  const same = move.from === move.to;
  const k = Math.max(0.5, box.h / 760); // strokes and arrows grow with the screen
  const start = { x: from.x, y: from.y + k * (same ? -34 * shift : 16 * lane) };
  const end = { x: to.x, y: to.y + k * (same ? 34 * shift : 16 * lane) };
  const line = curve(start, end, same ? { w: from.x + (box.w / 2 - from.x) * 1.2, h: from.y * 2 } : box, k);
  const turn = (line.tip.angle * 180) / Math.PI;
  return html`<g class="walk" style=${{ "--own": colour(index), "--k": k }}>
    <path class="shade" d=${line.path}/><path class="line" d=${line.path}/>
    <path class="tip" d="M0 0L-34-20-26 0-34 20Z" transform="translate(${line.tip.x} ${line.tip.y}) rotate(${turn}) scale(${k})"/>
    <svg x=${line.half.x - 30 * k} y=${line.half.y - 30 * k} width=${60 * k} height=${60 * k}><${Badge} index=${index}/></svg></g>`;
}

// The inner edge of every seat, where walks begin and end, measured once the seats lie where they lie.
function measure(stage) {
  const box = stage.getBoundingClientRect();
  const spots = {};
  for (const seat of stage.querySelectorAll(".seat")) {
    const r = seat.getBoundingClientRect();
    const leftSide = r.left + r.width / 2 < box.left + box.width / 2;
    spots[seat.dataset.cave] = { x: (leftSide ? r.right + 8 : r.left - 8) - box.left, y: r.top + r.height / 2 - box.top };
  }
  return { box: { w: box.width, h: box.height }, spots };
}

function Walks({ view, stage }) {
  const [map, setMap] = useState(null);
  const update = () => stage.current && setMap(measure(stage.current));
  useLayoutEffect(update, [view.moves, view.seats.length]);
  useLayoutEffect(() => {
    document.addEventListener("fitted", update);
    return () => document.removeEventListener("fitted", update);
  }, []);
  if (!map) return null;
  return html`<svg class="walks" width=${map.box.w} height=${map.box.h}>${view.moves.map((move, i) => html`<${Walk} key=${i} view=${view} move=${move} lane=${(i % 3) - 1} ...${map}/>`)}</svg>`;
}

export function Board({ live }) {
  const view = live.state.view;
  const stage = useRef(null);
  const spots = places(view.seats.length);
  const place = view.place && view.place.startsWith("cave:") ? view.place.slice(5) : null;
  return html`<main class="stage fit" ref=${stage}><div class="felt"/>
    ${view.seats.map((seat, i) => html`<div key=${seat.cave} class="spot ${spots[i].side < 0 ? "left" : "right"} ${spots[i].y === 0.5 ? "wide" : ""}" style=${{ "--y": spots[i].y }}>
      <${Seat} view=${view} seat=${seat} rare=${rare(view)} here=${seat.cave === place}/></div>`)}
    <${Middle} live=${live} view=${view}/>
    ${view.phase === "move" && view.moves && html`<${Walks} view=${view} stage=${stage}/>`}
  </main>`;
}
