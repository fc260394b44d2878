// Karnivore Koala on a phone: the dice as they lie, and what the own tribe still needs.
import { html } from "../preact-htm.js";
import { Bear } from "./karnivore_cards.js";
import { Dice, Need } from "./karnivore.js";

export function Seat({ live }) {
  const { view, me } = live.state;
  const tribe = view.tribes.find((each) => each.player === me);
  const need = view.needs.find((each) => each.player === me);
  if (!tribe || !tribe.king) return null;
  return html`<section class="ka-phone">${view.turn === me && html`<${Dice} view=${view}/>`}<${Need} view=${view} need=${need}/>
    <div class="ka-row">${[...tribe.left, tribe.king, ...tribe.right].map((card) => html`<${Bear} key=${card.id} card=${card} game=${view.game}/>`)}</div></section>`;
}
