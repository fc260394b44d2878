// People as every page and every game's panel shows them, and the sentence that tells them what to do.
import { html } from "./preact-htm.js";
import { Badge, Koala } from "./pictures.js";
import { say } from "./text.js";

// Longer names are written smaller, so that as few as can be are cut.
export const long = (name) => (name.length > 12 ? "longer" : name.length > 7 ? "long" : "");

export function Person({ view, name, look }) {
  const index = view.players.indexOf(name);
  return html`<span class="person">${look && html`<${Koala} colour=${look}/>`}<${Badge} index=${index}/><b class=${long(name)}>${name}</b></span>`;
}

// How many people may act: "rare" enough that it is worth pointing at them.
export const rare = (view) => {
  const waiting = (view.waiting_for || []).length;
  return waiting > 0 && waiting < view.players.length;
};

export const sentence = (view) => say(view.game, view.prompt);
