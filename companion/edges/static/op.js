// The operator's page: answer every open cue by hand, mend a reading, go back, begin a game.
import { html, render, useEffect, useState } from "./preact-htm.js";
import { Questions } from "./asked.js";
import { Cards, Drawn, faceOf, number } from "./cards.js";
import { Live } from "./live.js";
import { Opening } from "./opening.js";
import { pictures } from "./panels.js";
import { Badge } from "./pictures.js";
import { Speech } from "./voice.js";
import { face, has, knows, language, load, presses, refused, say, w } from "./text.js";

const look = new URLSearchParams(location.search).get("look");
if (look === "dark" || look === "light") document.documentElement.dataset.look = look;

let told = null; // the last answer, shown at the foot for a while
let timer = 0;
let repaint = () => {};

function tell(text, good) {
  told = { text, good };
  clearTimeout(timer);
  timer = setTimeout(() => { told = null; repaint(); }, 6000);
  repaint();
}

async function act(live, what, args) {
  const answer = await live.command(what, args);
  const game = what === "open" ? args.game : live.state && live.state.game;
  const known = w(`no.${answer.code}`);
  if (answer.ok) tell(w("done"), true);
  else if (answer.refusal) tell(refused(game, answer.refusal), false);
  else tell(known.startsWith("no.") ? answer.text : known, false);
  return answer.ok && (answer.rev || true);
}

const zone = (game, name) => (has(game, `zone.${name}`) ? say(game, { key: `zone.${name}` }) : name);
// Whose a zone is, where it is somebody's.
const owned = (state, name) => { const of = ((state.view && state.view.places) || {})[name]; return of ? `${zone(state.game, name)} (${of})` : zone(state.game, name); };
const who = (state, name) => html`<${Badge} index=${state.view.players.indexOf(name)}/>${name}`;

// All presses for one reason in one row: six people who may bid are six buttons under one word. Where somebody has
// two buttons for one reason (the starting player's own one and the command), each kind has its row and its name.
function Presses({ live, cues }) {
  const { state } = live;
  return [...new Set(cues.map((cue) => cue.why))].map((why) => {
    const meant = cues.filter((cue) => cue.why === why);
    const twice = meant.some((cue) => meant.some((other) => other.player === cue.player && other.button !== cue.button));
    const kinds = twice ? [...new Set(meant.map((cue) => cue.button))] : [null];
    return html`<div key=${why}><h3>${say(state.game, { key: why })}</h3>${kinds.map((kind) => html`<div class="row" key=${kind} role="group">${kind && html`<span class="quiet">${w(`button.${kind}`)}</span>`}
      ${meant.filter((cue) => !kind || cue.button === kind).map((cue) => html`<button key=${cue.player + cue.button} onClick=${() => act(live, "press", { player: cue.player, button: cue.button })}>${who(state, cue.player)}</button>`)}</div>`)}</div>`;
  });
}

function Zone({ live, cue, deck, Own }) {
  const { state } = live;
  return html`<details><summary>${w("show_by_hand", { zone: owned(state, cue.zone) })}</summary>
    <${Cards} game=${state.game} deck=${deck} Own=${Own} start=${cue.lying} likely=${cue.faces} first=${cue.first || []} seen=${state.seen} exactly=${cue.exactly} rev=${state.rev}
      label=${w("lies_so")} send=${(cards) => act(live, "show", { zone: cue.zone, cards })}/></details>`;
}

function Answer({ live, deck, Own }) {
  const { state } = live;
  const of = (kind) => state.cues.filter((cue) => cue.is === kind);
  const pressed = presses(state.game, state.cues);
  const asked = (aside) => html`<${Questions} live=${live} cues=${of("choose").filter((cue) => Boolean(cue.aside) === aside)} act=${act} who=${who}/>
    <${Presses} live=${live} cues=${pressed.filter((cue) => Boolean(cue.aside) === aside)}/>`;
  if (!state.cues.length) return html`<section><h2>${w("over")}</h2></section>`;
  return html`<section><h2>${w("answer")}</h2>
    ${asked(false)}
    ${of("wait").length > 0 && html`<div class="row">${of("wait").map((cue) => html`<button key=${cue.name + cue.lap} onClick=${() => act(live, "ring", { name: cue.name, lap: cue.lap })}>${w("ring_now", { clock: w(`clock.${cue.name}`) })}</button>`)}</div>`}
    ${of("roll").map((cue) => html`<${Zone} key=${cue.zone} live=${live} cue=${{ ...cue, lying: [], faces: [...new Set(deck.filter(([, , kind]) => kind === "die").map(([, name]) => name))] }} deck=${deck.filter(([, , kind]) => kind === "die")} Own=${Own}/>`)}
    ${of("show").map((cue) => html`<${Zone} key=${cue.zone} live=${live} cue=${cue} deck=${deck.filter(([, , kind]) => kind !== "die")} Own=${Own}/>`)}
    ${state.cues.some((cue) => cue.aside) && html`<details class="aside"><summary>${w("aside")}</summary>${asked(true)}</details>`}</section>`;
}

// What a correction would change, before it is made.
async function ask(where, what) {
  const answer = await fetch(where, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(what) });
  return answer.ok ? answer.json() : null;
}

const effect = (of, cards) => ask("/op/preview", { of: String(of), cards: cards.join(",") });

function Preview({ live, of, cards, done }) {
  const [told, set] = useState(null);
  useEffect(() => { effect(of, cards).then(set); }, [of, cards.join()]);
  if (!told) return null;
  const { state } = live;
  if (told.refusal) return html`<p class="refusal" role="alert">${refused(state.game, told.refusal)}</p>`;
  const groups = [...new Set([...Object.keys(told.before), ...Object.keys(told.after)])].filter((who) => told.before[who] !== told.after[who]);
  return html`<div class="preview-step"><p>${groups.length ? groups.map((who) => html`<span>${face(state.game, who)}: ${told.before[who] ?? "–"} → <b>${told.after[who] ?? "–"}</b> </span>`) : w("score_same")}</p><p class="quiet">${say(state.game, told.prompt)}</p>
    <button class="main" onClick=${async () => (await act(live, "correct", { of, cards })) && done()}>${w("apply")}</button></div>`;
}

// What may have lain there, one tap each; what it changes is shown before it is applied.
function Likely({ state, deck, Own, of, want }) {
  const [found, set] = useState(null);
  useEffect(() => { ask("/op/likely", { of: String(of) }).then((told) => set(told ? told.likely : [])); }, [of, state.rev]);
  if (!found) return null;
  if (!found.length) return html`<p class="quiet">${w("none_likely")}</p>`;
  return html`<div class="likely"><b>${w("likely")}</b><div class="row">${found.map((each) => html`<button class="tile" key=${each.out + each.in} onClick=${() => want(each.cards)}>
    <span><${Drawn} deck=${deck} of=${faceOf(deck, each.out)} game=${state.game} Own=${Own}/>${face(state.game, faceOf(deck, each.out))} <small>${number(each.out)}</small></span><span><${Drawn} deck=${deck} of=${faceOf(deck, each.in)} game=${state.game} Own=${Own}/>→ ${face(state.game, faceOf(deck, each.in))} <small>${number(each.in)}</small></span></button>`)}</div></div>`;
}

// What a step was: who won if the game ended by it, that a clock made it, that its reading was mended.
function Did({ state, step }) {
  return html`${step.end && html`<b>${step.end.length ? w("the_end", { names: step.end.map((name) => face(state.game, name)).join(", ") }) : w("over")}</b> `}${say(state.game, step.did)}${step.zone && html` <small class="quiet">${zone(state.game, step.zone)}</small>`}
    ${step.clock && html` <small class="quiet">(${w("by_clock")})</small>`}${step.mended && html` <small class="mended">✎ ${w("was_mended")}</small>`}`;
}

// A list of steps under its heading.
function Steps({ title, steps, each }) {
  return html`<h3>${title}</h3><ol class="steps" aria-label=${title}>${steps.map(each)}</ol>`;
}

function Step({ live, step, deck, Own, mending, mend, label }) {
  const { state } = live;
  const open = mending === step.n;
  const [wanted, want] = useState(null); // the cards that are to stand instead
  return html`<li><span class="n">${step.n}</span><span class="what"><${Did} state=${state} step=${step}/></span>
    ${step.cards && mend && html`<button class="plain" aria-expanded=${open} onClick=${() => mend(open ? null : step.n)}>${w("correct")}</button>`}
    ${label && html`<button onClick=${() => act(live, "undo", { to: step.n })}>${label}</button>`}
    ${open && html`<div class="mend"><${Likely} state=${state} deck=${deck} Own=${Own} of=${step.n} want=${want}/>${wanted && html`<${Preview} live=${live} of=${step.n} cards=${wanted} done=${() => { want(null); mend(null); }}/>`}
      <details><summary>${w("other_cards")}</summary><${Cards} game=${state.game} deck=${deck} Own=${Own} start=${step.cards} likely=${step.cards.map((id) => (deck.find(([card]) => card === id) || [0, id])[1])} seen=${state.seen} label=${w("was_so")}
        stood=${step.cards} send=${want}/></details></div>`}</li>`;
}

function History({ live, deck, Own }) {
  const { state } = live;
  const [mending, mend] = useState(null);
  const [all, setAll] = useState(null);
  useEffect(() => setAll(null), [state.rev]);
  const steps = all || state.steps;
  const more = async () => setAll(await (await fetch("/op/steps")).json());
  return html`<section><h2>${w("history")}</h2>
    <div class="row"><button disabled=${state.count < 2} onClick=${() => act(live, "undo", { to: state.steps[1].n })}>↶ ${w("undo")}</button>
      <button disabled=${!state.ahead.length} onClick=${() => act(live, "undo", { to: state.ahead[0].n })}>↷ ${w("redo")}${state.ahead.length ? html`: <span><${Did} state=${state} step=${state.ahead[0]}/></span>` : ""}</button></div>
    ${state.ahead.length > 1 && html`<details><summary>${w("ahead", { count: state.ahead.length })}</summary><ol class="steps" aria-label=${w("ahead", { count: state.ahead.length })}>${state.ahead.map((step) => html`<${Step} key=${step.n} live=${live} step=${step} label=${w("go_there")}/>`)}</ol></details>`}
    ${state.left.length > 0 && html`<details open=${state.left.some((step) => step.end)}><summary>${w("left")}</summary><${Steps} title=${w("left_heading")} steps=${state.left} each=${(step) => html`<${Step} key=${step.n} live=${live} step=${step} label=${w("go_there")}/>`}/></details>`}
    <${Steps} title=${w("steps_here")} steps=${steps} each=${(step, i) => html`<${Step} key=${step.n} live=${live} step=${step} deck=${deck} Own=${Own} mending=${mending} mend=${mend} label=${i ? w("go_here") : null}/>`}/>
    ${steps.length < state.count && html`<button onClick=${more}>${w("all_steps", { count: state.count })}</button>`}</section>`;
}

// What is needed to mend a problem, as a file on this screen's device.
async function report() {
  const answer = await fetch(`/op/bundle?what=report&lang=${language()}`, { method: "POST" });
  if (!answer.ok) { tell(await answer.text(), false); return; }
  const name = (answer.headers.get("content-disposition") || "").split('"')[1] || "report.zip";
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(await answer.blob()), download: name });
  link.click();
  tell(name, true);
}

// The device before an evening: green, amber, red, and what to do.
function Device() {
  const [found, set] = useState(null);
  const [busy, wait] = useState(false);
  const check = async () => { wait(true); const answer = await fetch(`/op/doctor?lang=${language()}`); set(answer.ok ? await answer.json() : null); wait(false); };
  const level = { good: "✓", wait: "…", warn: "!", bad: "✗" };
  const [flying, fly] = useState(false);
  const ask = async (what) => {
    const answer = await fetch("/op/doctor", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ do: what, lang: language() }) });
    if (!answer.ok) return;
    const told = await answer.json();
    set(told.items);
    fly(!told.over);
  };
  useEffect(() => { const turn = flying && setInterval(() => ask("look"), 1000); return () => clearInterval(turn); }, [flying]);
  return html`<section><details><summary><h2>${w("device")}</h2></summary><div class="row"><button onClick=${() => ask(flying ? "end" : "begin")}>${w(flying ? "preflight_end" : "preflight")}</button><button disabled=${busy || flying} onClick=${check}>${w("check_device")}</button><a class="button" href="/op/look">${w("look_camera")}</a><button onClick=${report}>${w("report_problem")}</button></div><p class="quiet">${w("report_note")}</p>
    ${found && html`<ul class="plain-list findings">${found.map((each) => html`<li class=${each.level}><b aria-hidden="true">${level[each.level]}</b> ${each.text}${each.remedy && html`<br/><span class="quiet">→ ${each.remedy}</span>`}</li>`)}</ul>`}</details></section>`;
}

// A rest for everybody, and more time for those who want it.
function Pace({ state }) {
  const post = (body) => fetch("/op/tempo", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  return html`<div class="row"><button aria-pressed=${state.paused} onClick=${() => post({ paused: state.paused ? "no" : "yes" })}>${w(state.paused ? "go_on" : "rest")}</button>
    <label class="check"><span>${w("more_time")}</span><select value=${String(state.stretch)} onChange=${(e) => post({ stretch: e.target.value })}>${["1", "1.5", "2", "3"].map((each) => html`<option value=${each}>× ${language() === "de" ? each.replace(".", ",") : each}</option>`)}</select></label></div>`;
}

// Who has a phone: a lost or borrowed one is freed here.
function Phones({ state }) {
  const { phones, join, locked } = state;
  const without = state.view ? state.view.players.filter((name) => !phones.includes(name)) : [];
  const post = (url, body) => fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  const release = (player) => fetch("/op/release", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ player }) });
  return html`<section><details><summary><h2>${w("phones")}</h2></summary>${join && html`<p>${w("join_at")} <b>${join.at}</b> ${w("join_with")} <b>${join.code}</b></p>`}
    ${phones.length > 0 && without.length > 0 && html`<p>${w("phone_less", { names: without.join(", ") })}</p>`}
    ${phones.length ? html`<div class="row">${phones.map((name) => html`<button key=${name} onClick=${() => release(name)}>${w("release", { name })}</button>`)}</div>` : html`<p class="quiet">${w("no_phones")}</p>`}
    <div class="row"><button aria-pressed=${locked} onClick=${() => post("/op/lock", { locked: locked ? "no" : "yes" })}>${w(locked ? "unlock" : "lock")}</button><button onClick=${() => post("/op/code", {})}>${w("new_code")}</button></div></details></section>`;
}

function Pin({ live }) {
  const [text, setText] = useState("");
  const [why, setWhy] = useState("");
  const enter = async (event) => {
    event.preventDefault();
    const answer = await fetch("/op/pin", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ pin: text }) });
    const then = new URLSearchParams(location.search).get("then") || ""; // the page that asked for the PIN
    if (answer.ok && /^\/op\/[a-z]+(#[a-z]*)?$/.test(then)) return location.replace(then.replace(/(#|$)/, `?lang=${language()}$1`));
    if (answer.ok) return live.connect();
    const { wait } = await answer.json();
    setText("");
    setWhy(wait ? w("pin_wait", { seconds: wait }) : w("pin_wrong"));
  };
  return html`<form class="pin" onSubmit=${enter}><img src="/static/icon.svg" alt=""/><label><span>${w("pin")}</span>
    <input inputmode="numeric" autocomplete="off" maxlength="6" autofocus value=${text} onInput=${(e) => setText(e.target.value)}/></label>
    <p role="alert" class="refusal">${why}</p><button class="main">${w("enter")}</button><p class="quiet">${w("pin_where")}</p></form>`;
}

function Health({ state }) {
  const ill = Object.entries(state.health || {});
  return ill.length ? html`<p class="ill" role="status">${ill.map(([device, text]) => w("trouble", { device, text })).join(" · ")}</p>` : html`<p class="well">${w("all_well")}</p>`;
}

const decks = {};

function useDeck(game) {
  const [, tick] = useState(0);
  useEffect(() => {
    if (game && !decks[game]) fetch(`/deck/${game}`).then((answer) => answer.json()).then(({ cards }) => { decks[game] = cards; tick((n) => n + 1); });
  }, [game]);
  return decks[game] || [];
}

function App({ live }) {
  const { state, status } = live;
  const whole = useDeck(state && state.game);
  const deck = state && state.absent && state.absent.length ? whole.filter(([id]) => !state.absent.includes(id)) : whole;
  const [, tick] = useState(0);
  repaint = () => tick((n) => n + 1);
  const Own = state && pictures(state, () => repaint()); // how this game draws its faces
  if (status === "pin") return html`<${Pin} live=${live}/>`;
  if (!state || !knows(state.game, () => repaint())) return html`<p class="pin">${w("connecting")}</p>`;
  const leave = async () => { await fetch("/op/leave", { method: "POST" }); };
  return html`<div class="op-page ${status === "live" ? "" : "stale"}" data-rev=${state.rev}>
    <header><h1>${w("operator")}</h1>${status !== "live" && html`<b class="ill">${w("stale")}</b>`}<${Health} state=${state}/><span class="quiet"><a href="/table">${w("to_table")}</a> <a href="/op/look">${w("to_camera")}</a> <a href="/print">${w("print_shop")}</a> <a href="/op/decks">${w("decks")}</a> <a href="/history">${w("history_of_games")}</a> <a href="/help">${w("help")}</a> <button class="plain" onClick=${leave}>${w("leave")}</button></span></header>
    ${state.view && html`<p class="now" aria-live="polite">${state.paused ? w("resting") : say(state.game, state.view.prompt)}</p><${Pace} state=${state}/>${state.refusal && html`<p class="refusal" role="alert">${say(state.game, state.refusal)}</p>`}`}
    ${state.view && html`<${Answer} live=${live} deck=${deck} Own=${Own}/><${History} live=${live} deck=${deck} Own=${Own}/>`}
    <${Speech}/><${Device}/><${Phones} state=${state}/><${Opening} live=${live} act=${act} repaint=${() => repaint()}/>
    ${told && html`<p class="told ${told.good ? "" : "no"}" role="status">${told.text}</p>`}</div>`;
}

async function start() {
  await load(language());
  document.querySelector("noscript").remove();
  new Live("op", (live) => render(html`<${App} live=${live}/>`, document.body));
}
start();
