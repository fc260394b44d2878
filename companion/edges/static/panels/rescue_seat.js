// A sheet of Koala Rescue Club on a phone: tap cells to draw, legal ones shine, take back until ready.
import { html, useEffect, useState } from "../preact-htm.js";
import { Shape, word } from "./rescue.js";

const CELL = 46, COLUMNS = "abcdefghijkl";
const ICONS = { // in a box of 24 x 24
  tree: html`<path d="M12 2q7 0 7 7 0 6-5 7v6h-4v-6q-5-1-5-7 0-7 7-7z"/>`,
  koala: html`<circle cx="5" cy="8" r="4"/><circle cx="19" cy="8" r="4"/><circle cx="12" cy="13" r="8"/>`,
  volunteer: html`<circle cx="12" cy="6" r="5"/><path d="M3 23q0-10 9-10t9 10z"/>`,
  hospital: html`<path fill-rule="evenodd" d="M12 1l11 9h-3v13H4V10H1zM10 11v3H7v3h3v3h4v-3h3v-3h-3v-3z"/>`,
  skybridge: html`<path class="thin" d="M2 4v18M22 4v18M2 7q10 12 20 0M2 14q10 10 20 0"/>`,
};
const Icon = ({ of }) => html`<svg class="rescue-icon" viewBox="0 0 24 24" aria-hidden="true">${ICONS[of]}</svg>`;
// A bonus by its place: "row 2 of area A: tree ×2".
function bonusWords(view, bonus) {
  const [area, line] = bonus.line.split("-"), row = line.startsWith("row");
  const what = bonus.kind === "skybridge" && bonus.targets.length ? word(view, "panel.bridge_to", { area: bonus.targets[0] }) : word(view, bonus.kind) + (bonus.times > 1 ? ` ×${bonus.times}` : "");
  return word(view, row ? "panel.from_row" : "panel.from_column", { n: Number(line.slice(3)) + 1, area, what });
}

// Why a tap does nothing.
function why(view, me, what, cell) {
  const [area, spot] = cell.split("-");
  const kind = view.map.areas.find((each) => each.id === area).rows[Number(spot.slice(1)) - 1][COLUMNS.indexOf(spot[0])];
  const { trees, koalas, connected } = me.sheet;
  if (!connected.includes(area)) return word(view, "no.area_not_connected", { area });
  if (what === "plant") return word(view, trees.includes(cell) ? "no.tree_already_circled" : "panel.no_shape", { cell });
  const fault = kind !== "K" ? "no.no_koala_here" : koalas.includes(cell) ? "no.koala_already_circled" : !trees.includes(cell) ? "no.koala_needs_circled_tree" : "panel.no_shape";
  return word(view, fault, { cell });
}

const Hint = ({ text }) => html`<p class=${text ? "rescue-hint" : ""} role="status">${text}</p>`;

const name = (sign, row, col) => `${sign}-${COLUMNS[col]}${row + 1}`;
const split = (cells) => cells.split(",");
const within = (cells, picked) => picked.every((cell) => cells.includes(cell));

function Tree({ x, y, cell, koala, look, tap }) {
  const state = [look.tree && "tree", look.koala && "koala-in", look.fresh && "fresh", look.can && "can", look.picked && "picked"].filter(Boolean).join(" ");
  return html`<g class="cell ${state}" transform="translate(${x} ${y})" role="button" tabindex=${look.can ? 0 : -1} aria-label=${cell} aria-pressed=${!!look.picked}
    data-cell=${cell} onClick=${() => tap(cell)} onKeyDown=${(e) => (e.key === "Enter" || e.key === " ") && (e.preventDefault(), tap(cell))}>
    <rect x="1" y="1" width=${CELL - 2} height=${CELL - 2} rx="8"/><path class="crown" d="M23 5q13 0 13 12 0 9-10 10v8h-6v-8q-10-1-10-10 0-12 13-12z"/>
    ${koala && html`<g class="head"><circle cx="12" cy="33" r="4"/><circle cx="24" cy="33" r="4"/><circle cx="18" cy="37" r="7"/></g>`}
    <circle class="ring" cx="23" cy="23" r="20"/></g>`;
}

function End({ x, y, line, bonus, me, open }) {
  if (!bonus) return null;
  const look = me.sheet.claimed.includes(line) ? "claimed" : me.sheet.lost.includes(line) ? "lost" : open ? "open" : "";
  return html`<g class="end ${look}" transform="translate(${x} ${y})"><circle cx="23" cy="23" r="15"/>
    <g class="rescue-icon" transform="translate(14 14) scale(.75)">${ICONS[bonus.kind]}</g><text x="34" y="44" class="more">${bonus.to || (bonus.times > 1 ? `×${bonus.times}` : "")}</text></g>`;
}

// One area with its bonuses; small while no skybridge leads there.
function Area({ area, me, can, picked, tap, fresh, open }) {
  const off = !me.sheet.connected.includes(area.id);
  const wide = (area.rows[0].length + 1) * CELL + 24, high = (area.rows.length + 1) * CELL;
  const spot = (row, col) => ({ x: col * CELL, y: row * CELL });
  return html`<svg class="rescue-sheet ${off ? "off" : ""}" viewBox="-22 -2 ${wide} ${high + 4}" width=${off ? wide / 2 : wide}><text class="sign" x="-12" y="28">${area.id}</text>
    ${area.rows.flatMap((line, row) => [...line].map((kind, col) => {
      if (kind === ".") return null;
      const cell = name(area.id, row, col);
      const look = { tree: me.sheet.trees.includes(cell), koala: me.sheet.koalas.includes(cell), fresh: fresh.includes(cell), can: can.has(cell), picked: picked.includes(cell) };
      return html`<${Tree} key=${cell} ...${spot(row, col)} cell=${cell} koala=${kind === "K"} look=${look} tap=${tap}/>`;
    }))}
    ${area.row_bonus.map((bonus, row) => html`<${End} ...${spot(row, area.rows[0].length)} line=${`${area.id}:row${row}`} bonus=${bonus} me=${me} open=${open.includes(`${area.id}-row${row}`)}/>`)}
    ${area.col_bonus.map((bonus, col) => html`<${End} ...${spot(area.rows.length, col)} line=${`${area.id}:col${col}`} bonus=${bonus} me=${me} open=${open.includes(`${area.id}-col${col}`)}/>`)}</svg>`;
}

function Sheet({ view, me, can, picked, tap }) {
  const open = ((me.draft && me.draft.bonuses) || []).map((each) => each.line);
  const fresh = me.draft ? [...me.draft.new.trees, ...me.draft.new.koalas] : [];
  return html`<div class="rescue-map">${view.map.areas.map((area) => html`<${Area} key=${area.id} area=${area} me=${me} can=${can} picked=${picked} tap=${tap} fresh=${fresh} open=${open}/>`)}</div>`;
}

function Stock({ view, me }) {
  const dots = (full, size) => "●".repeat(full) + "○".repeat(Math.max(0, size - full));
  const ready = me.sheet.circled - me.sheet.used, told = word(view, "panel.volunteers", { ready, used: me.sheet.used, most: view.map.slots });
  return html`<div class="rescue-stock"><span role="img" title=${told} aria-label=${told}><${Icon} of="volunteer"/> ${"⊗".repeat(me.sheet.used)}${dots(ready, view.map.slots - me.sheet.used)}</span>
    ${view.map.hospitals.map((hospital, i) => html`<span title=${word(view, "hospital")}><${Icon} of="hospital"/> ${dots(me.sheet.beds[i], hospital.size)} = ${hospital.points}${hospital.penalty ? ` (${hospital.penalty})` : ""}</span>`)}</div>`;
}

function Numbers({ view, draft, send }) {
  if (draft.numbers.length < 2) return null;
  return html`<div class="rescue-numbers" role="group" aria-label=${word(view, "number")}>${draft.numbers.map(([number, cost]) => html`<button class=${number === draft.number ? "main" : ""}
    onClick=${() => send(`number:${number}:${cost}`)}>${number}${cost > 0 && html`<small> ${Array.from({ length: cost }, () => html`<${Icon} of="volunteer"/>`)}</small>`}</button>`)}</div>`;
}

// What may still be tapped, given what is tapped already: the cells of every legal way that contains it.
function reach(draft, what, picked) {
  const ways = draft.can[what] || { shapes: [], singles: [] };
  const fit = [...ways.shapes, ...ways.singles].map(split).filter((cells) => within(cells, picked));
  const exact = fit.find((cells) => cells.length === picked.length);
  return { can: new Set(fit.flat()), exact };
}

function Drawing({ view, me, send }) {
  const { draft } = me;
  const can_be = (kind) => ["plant", "rehome"].find((each) => draft.can[each][kind].length);
  const best = can_be("shapes") || can_be("singles") || "plant";
  const [what, setWhat] = useState(best);
  const [picked, setPicked] = useState([]);
  const [way, setWay] = useState(0);
  const [hint, setHint] = useState("");
  useEffect(() => { setPicked([]); setWay(0); setHint(""); }, [view.turn, draft.number, draft.acted, what]);
  const { can, exact } = reach(draft, what, picked);
  const tap = (cell) => {
    const held = picked.includes(cell), fits = can.has(cell);
    setHint(held || fits ? "" : why(view, me, what, cell));
    if (held || fits) setPicked(held ? picked.filter((each) => each !== cell) : [...picked, cell]);
  };
  const fit = (each) => (draft.can[each].shapes.length ? word(view, "panel.ways", { count: draft.can[each].shapes.length }) : draft.can[each].singles.length ? word(view, "panel.singles", { count: draft.can[each].singles.length }) : word(view, "panel.none"));
  const ways = draft.can[what].shapes.length ? draft.can[what].shapes : draft.can[what].singles;
  const next = () => { setPicked(split(ways[way % ways.length])); setWay(way + 1); };
  return html`<${Numbers} view=${view} draft=${draft} send=${send}/>
    <div class="rescue-what"><${Shape} cells=${draft.shape} label=${word(view, `shape.${draft.number}`)}/>${["plant", "rehome"].map((each) => html`<button class=${each === what ? "main" : ""} aria-pressed=${each === what} onClick=${() => setWhat(each)}>
      ${word(view, each)} <small>${fit(each)}</small></button>`)}</div>
    ${!can_be("shapes") && html`<p class="rescue-warn">${word(view, can_be("singles") ? "panel.single_only" : "panel.pass")}</p>`}
    <${Sheet} view=${view} me=${me} can=${can} picked=${picked} tap=${tap}/><${Hint} text=${hint}/>
    <div class="rescue-do"><button onClick=${next} disabled=${!ways.length}>${word(view, "panel.next_way")}</button>
      <button class="main" disabled=${!exact} onClick=${() => send(`${what}:${[...picked].sort().join(",")}`)}>${word(view, "panel.draw", { count: picked.length })}</button></div>`;
}

function Bonus({ view, me, bonus, send }) {
  const [wishes, setWishes] = useState([]);
  const [hint, setHint] = useState("");
  useEffect(() => { setWishes([]); setHint(""); }, [bonus.line]);
  const cells = bonus.kind === "tree" || bonus.kind === "koala";
  const taken = (target) => wishes.filter((each) => each === target).length;
  const free = bonus.targets.filter((target) => taken(target) < bonus.room[target]);
  const take = (all) => send([`bonus:${bonus.line}`, ...(all.length ? [all.join(",")] : [])].join(":"));
  const pick = (target) => { const now = [...wishes, target]; if (now.length >= bonus.most) { setWishes([]); take(now); } else setWishes(now); };
  const tap = (cell) => { setHint(free.includes(cell) || wishes.includes(cell) ? "" : why(view, me, bonus.kind === "tree" ? "plant" : "rehome", cell)); if (free.includes(cell)) pick(cell); };
  const bed = (target) => { const n = view.map.hospitals.findIndex((each) => each.id === target), each = view.map.hospitals[n]; return word(view, "panel.bed", { filled: me.sheet.beds[n] + taken(target), size: each.size, points: each.points }); };
  // A volunteer and a skybridge leave nothing to choose: one tap does them as often as they say.
  const said = (target) => (bonus.kind === "hospital" ? bed(target) : bonus.kind === "volunteer" ? word(view, "panel.take_volunteer") + (bonus.most > 1 ? ` ×${bonus.most}` : "") : word(view, "panel.bridge_to", { area: target }));
  return html`<section class="rescue-bonus"><h2>${word(view, "bonus")}: ${bonusWords(view, bonus)}${bonus.most > 1 && (cells || bonus.kind === "hospital") ? ` – ${word(view, "panel.left", { count: wishes.length, most: bonus.most })}` : ""}</h2>
    ${!cells && html`<div class="row">${free.map((target) => html`<button class="main" key=${target} data-target=${target} onClick=${() => (bonus.kind === "hospital" ? pick(target) : take([]))}>${said(target)}</button>`)}</div>`}
    ${(!free.length || wishes.length > 0) && html`<div class="row"><button onClick=${() => take(wishes)}>${word(view, wishes.length ? "panel.enough" : "panel.give_up")}</button></div>`}
    <${Sheet} view=${view} me=${me} can=${new Set(cells ? free : [])} picked=${cells ? wishes : []} tap=${cells ? tap : () => {}}/><${Hint} text=${hint}/></section>`;
}

export function Seat({ live, act }) {
  const view = live.state.view, { me } = view;
  const [line, setLine] = useState(null);
  if (!me || !view.map) return null;
  const send = (option) => act(live, "choose", { cue: "draw", option });
  const { draft } = me;
  const open = draft ? draft.bonuses : [];
  const bonus = open.find((each) => each.line === line) || open[0];
  const drawing = draft && !draft.acted;
  return html`<div class="rescue-seat">${drawing ? html`<${Drawing} view=${view} me=${me} send=${send}/>` : bonus ? html`
      ${open.length > 1 && html`<div class="row">${open.map((each) => html`<button class=${each === bonus ? "main" : ""} aria-pressed=${each === bonus} onClick=${() => setLine(each.line)}>${bonusWords(view, each)}</button>`)}</div>`}
      <${Bonus} view=${view} me=${me} bonus=${bonus} send=${send}/>` : html`<${Sheet} view=${view} me=${me} can=${new Set()} picked=${[]} tap=${() => {}}/>`}
    <${Stock} view=${view} me=${me}/>
    ${draft && draft.undo && html`<button class="big" onClick=${() => send("undo")}>${word(view, "undo")}</button>`}
    ${draft && open.length > 0 && draft.ready && html`<p class="rescue-warn" role="status">${word(view, "panel.open_bonuses", { count: open.length })}</p>`}</div>`;
}
Seat.answers = ["draw"]; // what this module asks by itself: no list of buttons for it below
