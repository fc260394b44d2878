// The owner's decks: show a card, its sticker opens a form; what is wrong is told at its field; kept as one file.
import { html, render, useEffect, useState } from "./preact-htm.js";
import { face, language, load } from "./text.js";

const POLL_MS = 700;
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (all, name) => (name in values ? values[name] : all));
const at = (game, what) => `/op/decks/${game}/${what}?lang=${language()}`;
const post = (game, what, body, kind = "application/json") => fetch(at(game, what), { method: "POST", headers: { "content-type": kind }, body });

const whole = (text) => (text === "" ? null : Number(text));
const list = (text) => text.split(",").map((each) => each.trim()).filter(Boolean);

function Texts({ field, value, set, t }) {
  const input = (lang) => (field.long
    ? html`<textarea maxlength=${field.longest} aria-label=${`${field.label}: ${t(lang)}`} value=${value[lang] || ""} onInput=${(e) => set({ ...value, [lang]: e.target.value })}></textarea>`
    : html`<input maxlength=${field.longest} autocomplete="off" aria-label=${`${field.label}: ${t(lang)}`} value=${value[lang] || ""} onInput=${(e) => set({ ...value, [lang]: e.target.value })}/>`);
  return html`<div class="grid">${["en", "de"].map((lang) => html`<label key=${lang}><span>${t(lang)}</span>${input(lang)}</label>`)}</div>`;
}

function Many({ field, value, set }) {
  const flip = (name) => set(value.includes(name) ? value.filter((each) => each !== name) : [...value, name]);
  return html`<div class="row">${field.options.map(([name, label]) => html`<label class="check" key=${name}><input type="checkbox" name=${`${field.name}-${name}`} checked=${value.includes(name)} onChange=${() => flip(name)}/>${label}</label>`)}</div>`;
}

// A list typed with commas: it is kept as it is typed, so that a comma can be typed at all.
function Typed({ field, value, set, numbers }) {
  const [text, type] = useState(value.join(", "));
  useEffect(() => { if (list(text).join() !== value.join()) type(value.join(", ")); }, [value.join()]);
  const typed = (told) => { type(told); set(numbers ? list(told).map(Number) : list(told)); };
  const hints = field.known || [];
  return html`<input class="codes" autocomplete="off" aria-label=${field.label} name=${field.name} inputmode=${numbers ? "numeric" : "text"} value=${text} onInput=${(e) => typed(e.target.value)}/>
    ${hints.length > 0 && html`<div class="row">${hints.map(([name, label]) => html`<button type="button" key=${name} onClick=${() => typed([...value, name].join(", "))}>+ ${label}</button>`)}</div>`}`;
}

function Ops({ field, value, set, t }) {
  const put = (n, more) => set(value.map((each, i) => (i === n ? { ...each, ...more } : each)));
  return html`${value.map((op, n) => html`<div class="op" key=${n}>
      <select aria-label=${`${field.label} ${n + 1}`} value=${op.op} onChange=${(e) => put(n, { op: e.target.value })}>${field.options.map(([name, label]) => html`<option key=${name} value=${name}>${label}</option>`)}</select>
      ${field.options.find(([name, , counted]) => name === op.op && counted) && html`<input type="number" min="1" max=${field.most} aria-label=${`${field.label} ${n + 1}: 1–${field.most}`} value=${op.n} onInput=${(e) => put(n, { n: whole(e.target.value) })}/>`}
      <select aria-label=${`${field.label} ${n + 1}: ${field.who.map(([, label]) => label).join(" / ")}`} value=${op.who} onChange=${(e) => put(n, { who: e.target.value })}>${field.who.map(([name, label]) => html`<option key=${name} value=${name}>${label}</option>`)}</select>
      <button type="button" onClick=${() => set(value.filter((_, i) => i !== n))}>${t("drop")}</button></div>`)}
    <div class="row"><button type="button" onClick=${() => set([...value, { op: field.options[0][0], n: 1, who: "self" }])}>${t("add_op")}</button></div>`;
}

function Field({ field, value, set, fault, t }) {
  const body = {
    texts: () => html`<${Texts} field=${field} value=${value || {}} set=${set} t=${t}/>`,
    choice: () => html`<select aria-label=${field.label} name=${field.name} value=${value} onChange=${(e) => set(e.target.value)}>${field.options.map(([name, label]) => html`<option key=${name} value=${name}>${label}</option>`)}</select>`,
    number: () => html`<input class="short" type="number" inputmode="numeric" step="any" min=${field.least} max=${field.most} aria-label=${field.label} name=${field.name} value=${value ?? ""} onInput=${(e) => set(whole(e.target.value))}/>`,
    many: () => html`<${Many} field=${field} value=${value || []} set=${set}/>`,
    names: () => html`<${Typed} field=${field} value=${value || []} set=${set}/>`,
    codes: () => html`<${Typed} field=${field} value=${value || []} set=${set} numbers/>`,
    ops: () => html`<${Ops} field=${field} value=${value || []} set=${set} t=${t}/>`,
  }[field.form];
  return html`<fieldset class=${fault ? "wrong" : ""} data-field=${field.name}><legend>${field.label}</legend>${body()}
    ${field.hint && html`<small class="quiet">${field.hint}</small>`}${fault && html`<p class="refusal" role="alert">${fault}</p>`}</fieldset>`;
}

function Total({ total, values, t }) {
  const sum = total.plus + total.of.reduce((all, name) => all + (Number.isFinite(values[name]) ? values[name] : 0), 0);
  return html`<p class=${`deck-sum ${sum === total.wanted ? "right" : ""}`} aria-live="polite">${t("sum", { sum, wanted: total.wanted })}</p>`;
}

function Form({ state, open, draft, change, answer, save, remove, close, t }) {
  const fields = state.fields.filter((field) => !field.kinds || field.kinds.includes(draft[state.by]));
  const numbers = fields.filter((field) => field.form === "number" && !state.by);
  const others = fields.filter((field) => !numbers.includes(field));
  const entry = state.entries.find((each) => each.id === open);
  const one = (field) => html`<${Field} key=${open + field.name} field=${field} value=${draft[field.name]} set=${(value) => change({ ...draft, [field.name]: value })} fault=${answer?.faults?.[field.name]} t=${t}/>`;
  return html`<section><h2>${entry ? entry.title : t("new")}${entry && entry.made_up && html` <small class="quiet">(${t("invented")})</small>`}</h2>
    <form class="deck-form" noValidate onSubmit=${(e) => { e.preventDefault(); save(); }}>
      ${numbers.length > 0 && html`<div class="deck-numbers">${numbers.map(one)}</div>`}${state.sum && html`<${Total} total=${state.sum} values=${draft} t=${t}/>`}${others.map(one)}
      <div class="deck-foot"><${Told} answer=${answer}/><div class="row"><button class="main" disabled=${Boolean(state.busy)}>${t("save")}</button>${state.adds && html`<button type="button" onClick=${close}>${t("close")}</button>`}${state.adds && open && html`<button type="button" disabled=${Boolean(state.busy)} onClick=${remove}>${t("remove")}</button>`}</div>
      ${state.busy && html`<p class="quiet">${state.busy}</p>`}</div></form></section>`;
}

const Told = ({ answer }) => (answer && answer.text ? html`<p class=${`deck-told ${answer.ok ? "good" : "bad"}`} role=${answer.ok ? "status" : "alert"}>${answer.text}</p>` : null);

// What the camera sees is asked again and again while somebody shows cards; a photo is read once.
function Showing({ game, state, open, begin, more, t }) {
  const [on, turn] = useState(false);
  const [seen, set] = useState(null);
  useEffect(() => {
    if (!on) return undefined;
    let over = false, timer = 0;
    const ask = async () => {
      const answer = await fetch(at(game, "seen")).then((got) => (got.ok ? got.json() : null)).catch(() => null);
      if (over) return;
      set(answer || { cards: [], text: t("lost") });
      timer = setTimeout(ask, POLL_MS);
    };
    ask();
    return () => { over = true; clearTimeout(timer); };
  }, [on, game]);
  const photo = async (event) => {
    const [file] = event.target.files;
    event.target.value = "";
    if (file) set(await post(game, "picture", file, "application/octet-stream").then((got) => (got.ok ? got.json() : got.text().then((text) => ({ text })))).catch(() => ({ text: t("lost") })));
  };
  const cards = (seen && seen.cards) || [];
  return html`<section><div class="row"><button aria-pressed=${on} onClick=${() => { turn(!on); set(null); }}>${t(on ? "stop" : "show")}</button>
      <label class="button"><input type="file" accept="image/jpeg,image/png" onChange=${photo}/>${t("photo")}</label>
      <button onClick=${() => begin("", [])}>${t("new")}</button></div>
    ${on && !cards.length && html`<p class="quiet">${t("looking")}</p>`}
    ${seen && seen.text && html`<p class="quiet" role="status">${seen.text}</p>`}
    ${cards.map((card) => html`<div class="row" key=${card.marker}><button class="main" onClick=${() => { turn(false); set(null); begin(card.entry, card.entry ? [] : [card.marker]); }}>${t(card.entry ? "opens" : "new_with", card)}</button>
      ${open !== null && card.entry !== open && html`<button onClick=${() => { set(null); more(card.marker); }}>${t("more_of")}</button>`}</div>`)}</section>`;
}

function Entries({ state, begin, open, t }) {
  const groups = [...new Set(state.entries.map((each) => each.group))];
  return html`<section class="deck-list"><h2>${t("your_cards")}</h2>${groups.map((group) => html`<details key=${group}><summary>${group} (${state.entries.filter((each) => each.group === group).length})</summary><div class="row">${state.entries.filter((each) => each.group === group).map((each) => html`<button key=${each.id} class=${each.made_up ? "invented" : ""} aria-pressed=${open === each.id} onClick=${() => begin(each.id, [])}>${t("count", { count: each.count })} ${each.title}${each.made_up && html` <small class="quiet">${t("invented")}</small>`}</button>`)}</div></details>`)}</section>`;
}

function Desk({ game }) {
  const [state, keep] = useState(null);
  const [open, show] = useState(null); // the entry whose form is open; "": a new one
  const [draft, change] = useState({});
  const [answer, tell] = useState(null);
  const [lost, lose] = useState("");
  const t = (key, values = {}) => fill((state && state.words[key]) || key, values);
  const begin = (told, entry, codes) => {
    const values = told.values[entry] || {};
    const all = { ...values, markers: [...codes, ...(values.markers || [])] };
    show(entry); tell(null); change(codes.length ? { ...all, count: Math.max(values.count || 1, all.markers.length) } : values);
  };
  const fetched = async () => {
    const got = await fetch(at(game, "state")).catch(() => null);
    if (!got || !got.ok) return lose(got && got.status === 403 ? "pin" : "lost");
    const told = await got.json();
    keep(told); lose("");
    return told;
  };
  useEffect(() => { keep(null); show(null); tell(null); fetched().then((told) => { if (told && !told.adds) begin(told, told.entries[0].id, []); }); }, [game]);
  if (lost) return html`<p class="refusal" role="alert">${lost === "pin" ? html`<a href=${`/op?lang=${language()}&then=${encodeURIComponent(location.pathname + location.hash)}`}>PIN</a>` : "…"}</p>`;
  if (!state) return null;
  // The answer is told once the page knows the deck as it is now: whoever reads it may go on at once.
  const done = async (sent) => {
    const got = await sent.catch(() => null);
    const told = got && got.ok ? await got.json() : { ok: false, text: got ? await got.text() : t("lost") };
    const after = told.ok ? await fetched() : null;
    tell(told);
    if (after && after.adds) show(null);
    else if (after) change(after.values[after.entries[0].id]);
  };
  const save = () => done(post(game, "enter", JSON.stringify({ entry: open, values: draft })));
  const remove = () => done(post(game, "remove", JSON.stringify({ entry: open })));
  const undo = () => done(post(game, "undo", ""));
  const taken = (event) => { const [file] = event.target.files; event.target.value = ""; if (file) done(post(game, "import", file, "application/toml")); };
  const more = (marker) => { const markers = [marker, ...(draft.markers || []).filter((each) => each !== marker)]; change({ ...draft, markers, count: Math.max(draft.count || 1, markers.length) }); };
  return html`<p class=${state.made_up ? "ill" : "well"} role="status">${t(state.made_up ? "made_up" : "own")}</p><p class="quiet">${state.hint}</p>
    ${state.busy && html`<p class="refusal" role="status">${state.busy}</p>`}
    ${state.adds && html`<${Showing} key=${game} game=${game} state=${state} open=${open} begin=${(entry, codes) => begin(state, entry, codes)} more=${more} t=${t}/>`}
    ${open === null && html`<${Told} answer=${answer}/>`}
    ${open !== null && html`<${Form} key=${open} state=${state} open=${open} draft=${draft} change=${change} answer=${answer} save=${save} remove=${remove} close=${() => { show(null); tell(null); }} t=${t}/>`}
    ${state.adds && html`<${Entries} state=${state} begin=${(entry, codes) => begin(state, entry, codes)} open=${open} t=${t}/>`}
    <section><div class="row"><button disabled=${!state.undo || Boolean(state.busy)} onClick=${undo}>↶ ${t("undo")}</button><a class="button" href=${`/op/decks/${game}/deck.toml`} download=${`${game}.toml`}>${t("export")}</a><label class="button"><input type="file" accept=".toml,application/toml" onChange=${taken}/>${t("import")}</label></div></section>`;
}

function App({ games, words }) {
  const [game, choose] = useState(games.includes(location.hash.slice(1)) ? location.hash.slice(1) : games[0]);
  const pick = (name) => { history.replaceState(null, "", `#${name}`); choose(name); };
  return html`<div class="op-page"><header><h1>${words.title}</h1><span class="quiet"><a href="/op">${words.back}</a></span></header>
    ${games.length > 1 && html`<div class="row" role="group" aria-label=${words.title}>${games.map((name) => html`<button key=${name} aria-pressed=${name === game} onClick=${() => pick(name)}>${face("", name)}</button>`)}</div>`}
    ${game && html`<${Desk} key=${game} game=${game}/>`}</div>`;
}

async function start() {
  await load(language());
  const answer = await fetch(`/op/decks/list?lang=${language()}`);
  if (!answer.ok) return location.replace(`/op?lang=${language()}&then=${encodeURIComponent(location.pathname + location.hash)}`); // asks for the PIN
  const { games, words } = await answer.json();
  document.title = words.title;
  document.querySelector("noscript").remove();
  return render(html`<${App} games=${games} words=${words}/>`, document.body);
}
start();
