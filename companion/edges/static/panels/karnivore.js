// Karnivore Koala as a picture: the menu, the dice, and every tribe with its seven places and what it still needs.
import { html } from "../preact-htm.js";
import { long } from "../people.js";
import { Badge, colour, Picture } from "../pictures.js";
import { face, say, w } from "../text.js";
import { Bear, Die, longestOf, Symbol } from "./karnivore_cards.js";

export const word = (view, key, values = {}) => say(view.game, { key: `panel.${key}`, values });

function Dish({ view, dish, due }) {
  return html`<section class="ka-dish ${dish.animal ? "" : "empty"} ${due ? "due" : ""}" data-keep><h2>${face(view.game, dish.dish)}</h2>
    <b>${dish.animal ? face(view.game, dish.animal) : word(view, "empty")}</b>
    <p>${dish.symbols.map((each, i) => html`<${Symbol} key=${i} of=${each} game=${view.game}/>`)}${dish.third && view.third && html`<i>+</i><${Symbol} of=${view.third} game=${view.game}/>`}</p></section>`;
}

function Pile({ view }) {
  return html`<section class="ka-pile"><h2>${word(view, "third")}</h2>${view.back ? html`<${Symbol} of=${view.back} game=${view.game}/>` : html`<b>${word(view, "empty")}</b>`}
    ${" "}<small>${word(view, "animals")} ${view.animals}</small></section>`;
}

export const percent = (chance) => (chance / 100).toFixed(2).replace(".", document.documentElement.lang === "de" ? "," : ".");

export function Dice({ view }) {
  const { dice } = view;
  const typed = dice.lying.length ? [] : dice.typed;
  return html`<section class="ka-tray"><h2>${word(view, "spears")} <strong>${view.spears}</strong>/${view.spears_needed}${dice.locked && dice.lying.length > 0 && html` <small>${word(view, "locked")}</small>`}</h2>
    <p class=${dice.lying.length + typed.length ? "" : "none"}>${[...dice.lying, ...typed].map((die, i) => html`<${Die} key=${i} of=${die} game=${view.game} mark=${dice.marked.includes(i)}/>`)}</p>
    ${view.odds.map((each) => html`<small key=${each.what}>${word(view, `odds_${each.what}`, { count: each.count, chance: percent(each.chance) }).replace(" %", "\u00a0%")}</small>`)}</section>`;
}

// What a player still needs, in symbols; a green mark when the own workbears can do it.
export function Need({ view, need }) {
  if (!need.dish) return null;
  const lacking = [...need.missing];
  const open = need.required.map((each) => {
    const at = lacking.indexOf(each);
    if (at >= 0) lacking.splice(at, 1);
    return [each, at >= 0];
  });
  return html`<p class="ka-need ${need.can_hunt ? "can" : ""}" data-keep><small>${face(view.game, need.dish)}</small>${open.map(([each, missing], i) => html`<span key=${i} class=${missing ? "missing" : "there"}><${Symbol} of=${each} game=${view.game}/></span>`)}
    ${need.can_hunt ? html`<b>${word(view, "can_hunt")}</b>` : need.may_win ? html`<b class="warn" title=${word(view, "can_win")}><i>!</i><span>${word(view, "can_win")}</span></b>` : null}</p>`;
}

function Tribe({ view, tribe }) {
  const index = view.players.indexOf(tribe.player);
  const need = view.needs.find((each) => each.player === tribe.player);
  const now = view.turn === tribe.player;
  return html`<section class="ka-tribe ${now ? "now" : ""}" data-keep style=${{ "--own": colour(index) }}>
    <header><${Badge} index=${index}/><b class="name ${long(tribe.player)}" data-keep=${tribe.player.length > 12 ? undefined : ""}>${tribe.player}</b>${tribe.protected && html`<small>${word(view, "protected")}</small>`}
      <span class="ka-lamps" role="img" aria-label="${tribe.progress}/3">${[0, 1, 2].map((place) => html`<i class=${tribe.progress > place ? "on" : ""}/>`)}</span>
      <span class="count"><${Picture} of="hand" label=${w("hand")}/>${view.hands[tribe.player]}</span></header>
    <${Need} view=${view} need=${need}/>
    <div class="ka-row">${tribe.left.map((card) => html`<${Bear} key=${card.id} card=${card} game=${view.game}/>`)}
      ${tribe.king && html`<${Bear} card=${tribe.king} game=${view.game}/>`}
      ${tribe.right.map((card) => html`<${Bear} key=${card.id} card=${card} game=${view.game}/>`)}
      ${Array.from({ length: tribe.free }, (_, i) => html`<div key=${i} class="ka-free"/>`)}</div></section>`;
}

function Effect({ view }) {
  const { effect } = view;
  if (!effect) return null;
  const text = effect.text[document.documentElement.lang] || effect.text.en;
  return html`<p class="ka-effect"><b>${face(view.game, effect.card)}</b> ${text}</p>`;
}

export const cards = (tribe) => [...tribe.left, ...(tribe.king ? [tribe.king] : []), ...tribe.right];

export function Board({ live }) {
  const { view } = live.state;
  const due = view.needs.find((each) => each.player === view.turn);
  return html`<main class="ka fit ${view.tribes.length > 3 ? "many" : ""} ${view.tribes.length > 4 ? "most" : ""}" style=${{ "--longest": longestOf(view.tribes.flatMap(cards), view.game) }}><div class="ka-top">${view.menu.map((dish) => html`<${Dish} key=${dish.dish} view=${view} dish=${dish} due=${due && due.dish === dish.dish}/>`)}
    <${Pile} view=${view}/><${Dice} view=${view}/></div><${Effect} view=${view}/>
    <div class="ka-tribes">${view.tribes.map((tribe) => html`<${Tribe} key=${tribe.player} view=${view} tribe=${tribe}/>`)}</div></main>`;
}
