// Finished games: results with every reason, round by round; what players like to know; exports for the operator.
import { html, render, useEffect, useState } from "./preact-htm.js";
import { keep } from "./picture.js";
import { face, has, knows, language, load, say, w } from "./text.js";

const post = (url, body) => fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
const date = (game) => (game.on ? new Date(game.on * 1000).toLocaleString(language(), { dateStyle: "medium", timeStyle: "short" }) : w("no_date"));
// "92,0" in German, "92.0" in English.
const tenth = (number) => number.toLocaleString(language(), { minimumFractionDigits: 1, maximumFractionDigits: 1, useGrouping: false });
const inGroup = (name, group) => name === group || group.split("+").includes(name);
const named = (game, who) => (has(game, who) ? face(game, who) : who);

// One row a player over all games that count.
export function table(games) {
  const people = new Map();
  for (const game of games.filter((each) => each.counts)) for (const name of game.players) {
    const row = people.get(name) || { name, games: 0, won: 0, sum: 0, best: -Infinity };
    const entry = Object.entries(game.totals).find(([group]) => inGroup(name, group));
    row.games += 1;
    row.won += game.winners.some((group) => inGroup(name, group)) ? 1 : 0;
    if (entry) { row.sum += entry[1]; row.best = Math.max(row.best, entry[1]); }
    people.set(name, row);
  }
  return [...people.values()].sort((a, b) => b.won - a.won || b.games - a.games);
}

function People({ games }) {
  const rows = table(games);
  if (!rows.length) return null;
  return html`<section><h2>${w("people")}</h2><div class="wide" tabindex="0"><table><thead><tr><th>${w("player")}</th><th>${w("games")}</th><th>${w("won")}</th><th>${w("average")}</th><th>${w("best")}</th></tr></thead>
    <tbody>${rows.map((row) => html`<tr key=${row.name}><td>${row.name}</td><td>${row.games}</td><td>${row.won}</td><td>${tenth(row.sum / row.games)}</td><td>${row.best > -Infinity ? row.best : "–"}</td></tr>`)}</tbody></table></div></section>`;
}

// The most that was ever told of a kind: the dearest card, the most restless koala, who thinks alike.
function Records({ games, again }) {
  const best = new Map();
  for (const game of games.filter((each) => each.counts)) for (const tale of game.tales) {
    const count = tale.values && tale.values.count, key = `${game.game} ${tale.key}`;
    if (typeof count === "number" && !/tale\.(margin|tied|steps)/.test(tale.key) && !(best.has(key) && best.get(key).count >= count)) best.set(key, { count, game, tale });
  }
  if (!best.size) return null;
  return html`<section><h2>${w("records")}</h2><ul class="plain-list">${[...best.values()].map(({ game, tale }) => html`<li key=${game.id + tale.key}>${knows(game.game, again) && say(game.game, tale)} <small class="quiet">${face(game.game, game.game)}, ${date(game)}</small></li>`)}</ul></section>`;
}

function Rounds({ game }) {
  if (game.rounds.length < 2) return null;
  const groups = Object.keys(game.totals);
  const ids = groups.filter((group) => game.rounds.some((row) => group in row.totals));
  if (!ids.length) return null;
  return html`<details><summary>${w("rounds")}</summary><div class="wide" tabindex="0"><table><thead><tr><th>${w("round")}</th>${ids.map((id) => html`<th>${named(game.game, id)}</th>`)}</tr></thead>
    <tbody>${game.rounds.map((row) => html`<tr><td>${row.round}${row.mended > 0 && html` <small class="quiet" title=${w("mended", { count: row.mended })}>↺ ${row.mended}</small>`}</td>${ids.map((id) => html`<td>${row.totals[id] ?? "–"}</td>`)}</tr>`)}</tbody></table></div></details>`;
}

function Game({ game, mayMend, again }) {
  const [open, set] = useState(false);
  knows(game.game, again);
  const ranked = Object.entries(game.totals).sort((a, b) => b[1] - a[1]);
  const count = async () => { await post("/history/count", { id: game.id, counts: game.counts ? "no" : "yes" }); again(true); };
  return html`<section class=${game.counts ? "" : "stale"}><details open=${open} onToggle=${(e) => set(e.target.open)}><summary><h2>${face(game.game, game.game)}</h2> <span class="quiet">${date(game)}</span> <b>${game.winners.map((who) => named(game.game, who)).join(", ")}</b></summary>
    ${open && html`<table><tbody>${ranked.map(([who, total]) => html`<tr><td>${named(game.game, who)}</td><td><b>${total}</b></td><td>${game.winners.includes(who) ? "★" : ""}</td></tr>`)}</tbody></table>
    ${game.mended > 0 && html`<p class="quiet">${w("mended", { count: game.mended })}</p>`}${game.made_up && html`<p class="ill">${say("", { key: "made_up" })}</p>`}
    ${game.tales.map((tale) => html`<p>${say(game.game, tale)}</p>`)}
    <details><summary>${w("reasons")}</summary><ul class="plain-list">${game.lines.map((line) => html`<li><b>${line.who}</b> ${line.points > 0 ? "+" : ""}${line.points} ${say(game.game, { key: line.why, values: line.values })} <small class="quiet">${line.rule}</small></li>`)}</ul></details>
    <${Rounds} game=${game}/>
    <div class="row"><a class="button" href="/table?replay=${game.id}">${w("play_again")}</a><button onClick=${() => keep(game, date(game))}>${w("picture")}</button></div>
    <details><summary>${w("share")}</summary><img class="share" loading="lazy" src="/history/bgstats/${game.id}.svg" alt=${w("bgstats")}/><p class="quiet">${w("bgstats")}</p></details>
    ${mayMend && html`<div class="row"><button onClick=${count}>${game.counts ? w("count_not") : w("count_again")}</button></div>`}`}</details></section>`;
}

function Mending({ games, again }) {
  const people = [...new Set(games.flatMap((game) => game.players))].filter((name) => !/^–( \d+)?$/.test(name)).sort();
  const [name, choose] = useState("");
  const [sure, ask] = useState(false);
  const forget = async () => { await post("/history/forget", { player: name }); ask(false); choose(""); again(true); };
  return html`<section><h2>${w("operator")}</h2><div class="row"><a class="button" href="/history/export/games.csv">CSV</a><a class="button" href="/history/export/games.json">JSON</a></div>
    <div class="row"><select aria-label=${w("forget_whom")} value=${name} onChange=${(e) => { choose(e.target.value); ask(false); }}><option value="">${w("forget_whom")}</option>${people.map((each) => html`<option value=${each}>${each}</option>`)}</select>
    ${name && (sure ? html`<button class="main" onClick=${forget}>${w("forget_sure", { name })}</button>` : html`<button onClick=${() => ask(true)}>${w("forget", { name })}</button>`)}</div></section>`;
}

function App() {
  const [games, set] = useState(null);
  const [mayMend, may] = useState(false);
  const [fault, ill] = useState("");
  const [, tick] = useState(0);
  const look = async () => {
    const answer = await fetch(`/history/games?lang=${language()}`);
    if (!answer.ok) { ill(await answer.text()); return; }
    const told = await answer.json();
    ill("");
    set(told.games);
    may(told.mend);
  };
  useEffect(() => { look(); }, []);
  const again = (anew) => (anew ? look() : tick((n) => n + 1));
  return html`<div class="op-page"><header><h1>${w("history_of_games")}</h1><span class="quiet"><a href="/table">${w("to_table")}</a> <a href="/op">${w("operator")}</a></span></header>
    ${fault && html`<p role="alert" class="refusal">${fault}</p>`}
    ${games && (games.length ? html`<${People} games=${games}/><${Records} games=${games} again=${again}/>${games.map((game) => html`<${Game} key=${game.id} game=${game} mayMend=${mayMend} again=${again}/>`)}` : html`<p class="quiet">${w("no_games_yet")}</p>`)}
    ${games && games.length > 0 && mayMend && html`<${Mending} games=${games} again=${again}/>`}</div>`;
}

load(language()).then(() => {
  document.querySelector("noscript").remove();
  render(html`<${App}/>`, document.body);
});
