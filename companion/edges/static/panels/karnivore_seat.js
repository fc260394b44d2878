// Karnivore Koala on a phone: the dice as they lie, and what the own tribe still needs.
import { html } from "../preact-htm.js";
import { face } from "../text.js";
import { Bear } from "./karnivore_cards.js";
import { cards, Dice, Need, word } from "./karnivore.js";

export function Seat({ live }) {
  const { view, me } = live.state;
  const tribe = view.tribes.find((each) => each.player === me);
  const need = view.needs.find((each) => each.player === me);
  if (!tribe || !tribe.king) return null;
  return html`<section class="ka-phone">${view.turn === me && html`<${Dice} view=${view}/>`}<${Need} view=${view} need=${need}/>
    <div class="ka-row">${cards(tribe).map((card) => html`<${Bear} key=${card.id} card=${card} game=${view.game}/>`)}</div><${Texts} view=${view} tribe=${tribe}/></section>`;
}

// What the own cards do, before one of them is used.
function Texts({ view, tribe }) {
  const lang = document.documentElement.lang;
  const told = [...new Map(cards(tribe).map((card) => [card.face, card.text[lang] || card.text.en])).entries()].filter(([, text]) => text);
  return told.length > 0 && html`<details class="settings"><summary>${word(view, "texts")}</summary><dl class="ka-texts">${told.map(([of, text]) => html`<div key=${of}><dt>${face(view.game, of)}</dt><dd>${text}</dd></div>`)}</dl></details>`;
}
