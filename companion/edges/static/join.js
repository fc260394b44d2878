// A phone comes to the table: the code (from the scanned address, or typed), then a tap on the own name.
import { html, render, useEffect, useState } from "./preact-htm.js";
import { Badge } from "./pictures.js";
import { language, load, w } from "./text.js";

const post = (url, body) => fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

function Names({ people, claim }) {
  const { players, taken } = people;
  return html`<div class="choices">${players.map((name, i) => html`<button key=${name} class="big" disabled=${taken.includes(name)} onClick=${() => claim(name)}>
    <${Badge} index=${i}/>${name}${taken.includes(name) && html`<small>${w("taken")}</small>`}</button>`)}</div>`;
}

function NewName({ claim }) {
  const [name, set] = useState("");
  const send = (event) => { event.preventDefault(); claim(name); };
  return html`<form onSubmit=${send}><label><span>${w("your_name")}</span><input autofocus maxlength="24" autocomplete="off" value=${name} onInput=${(e) => set(e.target.value)}/></label>
    <button class="big main" disabled=${!name.trim()}>${w("sit_down")}</button></form>`;
}

function App() {
  const [code, setCode] = useState(location.hash.slice(1).toUpperCase());
  const [people, setPeople] = useState(null);
  const [why, setWhy] = useState("");
  const look = async () => setPeople(await (await fetch("/j/people")).json());
  useEffect(() => { look(); const timer = setInterval(look, 3000); return () => clearInterval(timer); }, []);
  const claim = async (name) => {
    const answer = await post("/j/claim", { code, name });
    if (answer.ok) return location.replace("/seat");
    const told = await answer.json();
    setWhy(told.wait ? w("pin_wait", { seconds: told.wait }) : w(`join.${told.why}`));
    look();
  };
  return html`<main><img class="icon" src="/static/icon.svg" alt=""/><h1>${w("join")}</h1>
    <label><span>${w("code")}</span><input class="code" maxlength="4" autocomplete="off" autocapitalize="characters" value=${code} onInput=${(e) => setCode(e.target.value.toUpperCase())}/></label>
    <p class="refusal" role="alert">${why}</p>
    ${people && people.me && html`<a class="big" href="/seat">${w("back_to_seat", { name: people.me })}</a>`}
    ${people && (people.players.length ? html`<h2>${w("who_are_you")}</h2><${Names} people=${people} claim=${claim}/>` : html`<${NewName} claim=${claim}/>`)}</main>`;
}

async function start() {
  await load(language());
  document.querySelector("noscript").remove();
  render(html`<${App}/>`, document.body);
}
start();
