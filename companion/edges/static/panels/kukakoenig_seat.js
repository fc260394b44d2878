// Ku-Ka-König on a phone: the rows as they lie, and what each would bring now, where the table wants that help.
import { html } from "../preact-htm.js";
import { face, say } from "../text.js";
import { Face } from "./kukakoenig_cards.js";

export function Seat({ live, Held }) {
  const { view } = live.state;
  const { own } = view;
  if (!own || !["think", "beat", "show"].includes(view.phase)) return null;
  const worth = Object.keys(own.values).length > 0;
  return html`<section class="kk-phone">${view.rows.filter((row) => row.cards.length).map((row) => html`<div key=${row.row}><b>${row.row}</b>${row.cards.map((card) => html`<${Face} key=${card.card} of=${card.face} label=${face(view.game, card.face)}/>`)}
    ${worth && html`<em>${own.values[row.row] > 0 ? "+" : ""}${own.values[row.row]}</em>`}</div>`)}
    ${own.sealed && html`<${Held} label=${say(view.game, { key: "panel.sealed", values: {} })}><b class="kk-sealed">${own.sealed}</b><//>`}</section>`;
}
