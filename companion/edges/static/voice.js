// The voice on the operator's page: the last words again, and how loud each kind of speech is.
import { html, useEffect, useState } from "./preact-htm.js";
import { w } from "./text.js";

const ask = (body) => fetch("/op/voice", body && { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }).then((answer) => (answer.ok ? answer.json() : null));

export function Speech() {
  const [known, know] = useState(null);
  const learn = (told) => told && know((before) => ({ ...before, ...told }));
  useEffect(() => { ask().then(learn); }, []);
  if (!known) return null;
  const loud = (lane) => known.loud[lane];
  return html`<section><details><summary><h2>${w("voice")}</h2></summary>
    <div class="row"><button onClick=${() => ask({ again: "yes" })}>${w("say_again")}</button></div>
    ${known.lanes.map((lane) => html`<div class="row" key=${lane} role="group" aria-label=${w(`lane.${lane}`)}><span>${w(`lane.${lane}`)}</span>
      ${known.levels.map((level) => html`<button key=${level} aria-pressed=${loud(lane) === level} onClick=${() => ask({ [lane]: level }).then(learn)}>${w(`loud.${level}`)}</button>`)}</div>`)}
  </details></section>`;
}
