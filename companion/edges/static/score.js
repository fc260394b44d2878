// The end of a game: who won, and every point with its reason.
import { html } from "./preact-htm.js";
import { Badge, Koala, Picture } from "./pictures.js";
import { face, say, w } from "./text.js";

// The people of a scoring group: "Mia+Paul" by their names, a team by its lines' owners.
function members(view, group) {
  const named = group.split("+").filter((name) => view.players.includes(name));
  if (named.length) return named;
  const teams = view.teams || {};
  return view.players.filter((name) => teams[name] === group || (teams[name] === "question" && view.joins === group));
}

const lookOf = (view, name) => ((view.seats || []).some((seat) => seat.black === name) ? "black" : "white");

// Lines that say the same of several people are told once, with all their points.
function merged(lines) {
  const told = new Map();
  for (const line of lines) {
    const key = JSON.stringify([line.why, line.values, !line.values.place && line.who]);
    const known = told.get(key) || { ...line, points: 0, people: [] };
    told.set(key, { ...known, points: known.points + line.points, people: [...known.people, line.who] });
  }
  return [...told.values()];
}

function Reason({ view, line, named }) {
  const food = String(line.values.food || "").replace("@", "");
  return html`<li><strong>${line.points > 0 ? "+" : ""}${line.points}</strong>
    ${food ? html`<${Picture} of=${food} label=${face(view.game, food)}/>` : line.why.includes("feast") && html`<${Picture} of="feast"/>`}
    <span>${named && html`<b>${line.people.join(" + ")}</b> `}${say(view.game, { key: line.why, values: line.values })}</span></li>`;
}

function Group({ view, group, total, first }) {
  const people = members(view, group);
  const lines = merged(view.score.lines.filter((line) => people.includes(line.who)));
  return html`<section class="group ${first ? "winner" : ""}">
    <div class="total">${total}</div>
    <div class="who">${people.length && people.join("+") === group ? null : html`<em>${face(view.game, group)}</em>`}
      ${people.map((name) => html`<span class="person">${view.seats && html`<${Koala} colour=${lookOf(view, name)}/>`}<${Badge} index=${view.players.indexOf(name)}/><b>${name}</b></span>`)}</div>
    <ul>${lines.length ? lines.map((line) => html`<${Reason} view=${view} line=${line} named=${people.length > line.people.length}/>`) : html`<li class="quiet">${w("no_points")}</li>`}</ul>
  </section>`;
}

export function Result({ view, tales }) {
  const totals = Object.entries(view.score.totals).sort((a, b) => b[1] - a[1] || Number(view.score.winners.includes(b[0])) - Number(view.score.winners.includes(a[0])));
  return html`<main class="result ${totals.length > 4 ? "many" : ""}">${totals.map(([group, total]) => html`<${Group} key=${group} view=${view} group=${group} total=${total} first=${view.score.winners.includes(group)}/>`)}
    ${(tales || []).length > 0 && html`<ul class="tales">${tales.map((tale) => html`<li>${say(view.game, tale)}</li>`)}</ul>`}
    ${view.score.notes.map((note) => html`<p class="quiet note">${say(view.game, { key: note })}</p>`)}</main>`;
}
