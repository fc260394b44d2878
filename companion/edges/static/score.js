// The end of a game: who won, and every point with its reason.
import { html } from "./preact-htm.js";
import { long } from "./people.js";
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

// Winners are first, however a tie was broken; whoever has as many points as the one before shares the place.
export function ranked(score) {
  const won = (who) => score.winners.includes(who);
  const rows = Object.entries(score.totals).sort((a, b) => won(b[0]) - won(a[0]) || b[1] - a[1]);
  return rows.map(([who, total], i) => {
    const ahead = rows.slice(0, i).filter((row) => won(row[0]) !== won(who) || row[1] !== total).length;
    return { who, total, place: won(who) ? 1 : ahead + 1 };
  });
}

function Who({ view, group }) {
  const people = members(view, group);
  return html`<div class="who">${people.length && people.join("+") === group ? null : html`<em>${face(view.game, group)}</em>`}
    ${people.map((name) => html`<span class="person">${view.seats && html`<${Koala} colour=${lookOf(view, name)}/>`}<${Badge} index=${view.players.indexOf(name)}/><b class=${long(name)}>${name}</b></span>`)}</div>`;
}

function Podium({ view, rows, share }) {
  const steps = [rows[1], rows[0], rows[2]].filter(Boolean);
  return html`<div class="podium"><ol>${steps.map((row) => html`<li key=${row.who} class="place-${row.place}"><${Who} view=${view} group=${row.who}/><p class="step"><b>${row.total}</b></p></li>`)}</ol>
    ${share && html`<p class="take"><img src="/history/share.svg?${share}" alt=${w("share_code")}/><span>${w("share_code")}</span></p>`}</div>`;
}

function Group({ view, row }) {
  const people = members(view, row.who);
  const lines = merged(view.score.lines.filter((line) => people.includes(line.who)));
  return html`<section class="group ${row.place === 1 ? "winner" : ""}"><div class="head"><b class="total">${row.total}</b><${Who} view=${view} group=${row.who}/></div>
    <ul>${lines.length ? lines.map((line) => html`<${Reason} view=${view} line=${line} named=${people.length > line.people.length}/>`) : html`<li class="quiet">${w("no_points")}</li>`}</ul></section>`;
}

// A class: why the best won, and everybody's place.
function Crowd({ view, rows }) {
  const rest = rows.filter((row) => row.place > 1);
  return html`<div class="crowd">${rows.filter((row) => row.place === 1).slice(0, 2).map((row) => html`<${Group} key=${row.who} view=${view} row=${row}/>`)}
    <ol style=${{ "--columns": Math.ceil(rest.length / 13) }}>${rest.map((row) => html`<li key=${row.who}><i>${row.place}</i><${Who} view=${view} group=${row.who}/><b>${row.total}</b></li>`)}</ol></div>`;
}

export function Result({ view, tales, share }) {
  const rows = ranked(view.score);
  const lines = view.score.lines.length / rows.length;
  const columns = rows.length <= 4 ? rows.length : lines > 3 ? Math.min(4, Math.ceil(rows.length / 2)) : 3;
  return html`<main class="result fit"><${Podium} view=${view} rows=${rows} share=${share}/>
    ${rows.length > 8 ? html`<${Crowd} view=${view} rows=${rows}/>` : html`<div class="groups" style=${{ "--columns": columns }}>${rows.map((row) => html`<${Group} key=${row.who} view=${view} row=${row}/>`)}</div>`}
    ${(tales || []).length > 0 && html`<ul class="tales">${tales.map((tale) => html`<li>${say(view.game, tale)}</li>`)}</ul>`}
    ${view.score.notes.map((note) => html`<p class="quiet note">${say(view.game, { key: note })}</p>`)}</main>`;
}
