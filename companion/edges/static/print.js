// The print shop: stickers, plates and player cards of a game, as a PDF to look at and to print.
import { html, render, useState } from "./preact-htm.js";
import { face, language, load, w } from "./text.js";

const PARTS = ["stickers", "plates", "players"];
const LABELS = { a4: ["63x38", "70x37", "38x21"], letter: ["67x25"] };

const FILLED = "rescue", KEPT = "rescue.map.toml"; // the game whose sheets are drawn on; where its map editor keeps a map
const kept = () => { try { return localStorage.getItem(KEPT) || ""; } catch { return ""; } };

// The sheets to draw on: of the practice map, or of the map that was entered on this device.
function Sheets({ paper }) {
  const [numbers, set] = useState("1-6");
  const [own, take] = useState(Boolean(kept()));
  const [made, keep] = useState(null);
  const [why, say] = useState("");
  const draw = async () => {
    const where = `/print/${FILLED}.pdf?${new URLSearchParams({ parts: "sheets", sheets: numbers, paper, lang: language() })}`;
    const answer = own ? await fetch(where, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ map: kept() }) }) : await fetch(where);
    say(answer.ok ? "" : await answer.text());
    keep(!answer.ok ? null : own ? { link: URL.createObjectURL(await answer.blob()) } : { link: where, shown: true });
  };
  const change = (put) => (value) => { put(value); keep(null); say(""); };
  return html`<section><h2>${w("fill_sheets")}</h2><div class="grid"><label><span>${w("sheet_numbers")}</span><input value=${numbers} onInput=${(e) => change(set)(e.target.value.trim())}/></label>
      ${kept() && html`<label><span>${w("sheet_map")}</span><select value=${own ? "own" : "practice"} onChange=${(e) => change(take)(e.target.value === "own")}><option value="own">${w("sheet_own")}</option><option value="practice">${w("sheet_practice")}</option></select></label>`}</div>
    <p class="refusal" role="status">${why}</p>
    <div class="row"><button class="main" onClick=${draw}>${w("draw_sheets")}</button>${made && html`<a class="button" href=${made.link} target="_blank" download=${made.shown ? undefined : "sheets.pdf"}>${w("open_pdf")}</a>`}</div>
    <p class="quiet">${w(kept() ? "sheet_hint" : "sheet_hint_practice")}</p>
    ${made && made.shown && html`<iframe class="preview" title=${w("fill_sheets")} src=${made.link}></iframe>`}</section>`;
}

const OWN = /^(localhost|127\..*|\[::1\]|.*\.localhost)$/; // what only this machine calls itself

// Where a phone finds the table: as this page was opened or, where no phone can do that, as the table screen says.
async function joining() {
  const here = { url: `${location.origin}/j`, at: `${location.host}/j` };
  if (!OWN.test(location.hostname)) return here;
  const told = await new Promise((done) => {
    const line = new WebSocket(`ws://${location.host}/ws?page=table&lang=${language()}`, "table.v1");
    line.onmessage = (event) => { done(JSON.parse(event.data).join); line.close(); };
    line.onclose = () => done(null);
  });
  if (told && !OWN.test(new URL(told.url).hostname)) return { ...told, word: "print_found" };
  return { ...here, word: "print_alone" };
}

function App({ games, join }) {
  const [wish, set] = useState({ game: games.includes("koala") ? "koala" : games[0], paper: "a4", mm: "12", labels: "", cards: "", parts: PARTS });
  const [why, say] = useState("");
  const [made, keep] = useState(null);
  const change = (more) => { set({ ...wish, ...more }); keep(null); say(""); };
  const address = () => {
    const asked = { paper: wish.paper, mm: wish.mm, lang: language(), parts: wish.parts.join(","), join: join.url };
    if (wish.labels) asked.labels = wish.labels;
    if (wish.cards) asked.cards = wish.cards;
    return `/print/${wish.game}.pdf?${new URLSearchParams(asked)}`;
  };
  const draw = async () => {
    const answer = await fetch(address());
    if (!answer.ok) return say(await answer.text());
    say("");
    return keep(address());
  };
  const part = (name) => change({ parts: wish.parts.includes(name) ? wish.parts.filter((each) => each !== name) : PARTS.filter((each) => each === name || wish.parts.includes(each)) });
  return html`<div class="op-page"><header><h1>${w("print_shop")}</h1><span class="quiet"><a href="/table">${w("to_table")}</a></span></header>
    <section><div class="grid">
      <label><span>${w("game")}</span><select value=${wish.game} onChange=${(e) => change({ game: e.target.value })}>${games.map((game) => html`<option value=${game}>${face("", game)}</option>`)}</select></label>
      <label><span>${w("paper")}</span><select value=${wish.paper} onChange=${(e) => change({ paper: e.target.value, labels: "" })}><option value="a4">A4</option><option value="letter">Letter</option></select></label>
      <label><span>${w("marker_mm")}</span><input type="number" min="6" max="40" step="0.5" value=${wish.mm} onInput=${(e) => change({ mm: e.target.value })}/></label>
      <label><span>${w("labels")}</span><select value=${wish.labels} onChange=${(e) => change({ labels: e.target.value })}><option value="">${w("plain_paper")}</option>${LABELS[wish.paper].map((name) => html`<option value=${name}>${name} mm</option>`)}</select></label>
      <label><span>${w("cards_from_to")}</span><input placeholder="1-20" value=${wish.cards} onInput=${(e) => change({ cards: e.target.value.trim() })}/></label></div>
    <div class="row">${PARTS.map((name) => html`<label class="check"><input type="checkbox" checked=${wish.parts.includes(name)} onChange=${() => part(name)}/>${w(`part.${name}`)}</label>`)}</div>
    ${join.word && wish.parts.includes("players") && html`<p class=${join.word === "print_alone" ? "refusal" : "quiet"}>${w(join.word, { at: join.at })}</p>`}
    <p class="refusal" role="alert">${why}</p>
    ${!wish.parts.length && html`<p class="refusal" role="status">${w("print_what")}</p>`}
    <div class="row"><button class="main" disabled=${!wish.parts.length} onClick=${draw}>${w("preview")}</button>${made && html`<a class="button" href=${made} target="_blank">${w("open_pdf")}</a>`}</div>
    <p class="quiet">${w("print_hint")}</p></section>
    ${made && html`<iframe class="preview" title=${w("preview")} src=${made}></iframe>`}
    ${wish.game === FILLED && html`<${Sheets} key=${wish.paper} paper=${wish.paper}/>`}</div>`;
}

async function start() {
  await load(language());
  const games = await (await fetch("/print/games")).json();
  document.querySelector("noscript").remove();
  render(html`<${App} games=${games} join=${await joining()}/>`, document.body);
}
start();
