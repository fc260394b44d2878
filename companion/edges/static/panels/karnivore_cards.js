// Karnivore Koala's symbols, dice and cards, each in a box of 100 x 100.
import { html } from "../preact-htm.js";
import { face, longest } from "../text.js";

const SYMBOLS = {
  crown: html`<path d="M10 80V30l22 22L50 18l18 34 22-22v50Z" fill="#e9b83b"/><path d="M10 88h80" stroke="#e9b83b" stroke-width="8" stroke-linecap="round"/>`,
  spear: html`<path d="M12 90L66 34" stroke="#a9784a" stroke-width="9" stroke-linecap="round"/><path d="M90 8L58 24l18 18Z" fill="#cfd6dd" stroke="#5a646f" stroke-width="3"/>`,
  koala: html`<g fill="#8fa3b5"><circle cx="20" cy="33" r="16"/><circle cx="80" cy="33" r="16"/><ellipse cx="50" cy="55" rx="35" ry="33"/></g><g fill="#20272e"><ellipse cx="50" cy="61" rx="8.5" ry="12.5"/><circle cx="34" cy="50" r="4.5"/><circle cx="66" cy="50" r="4.5"/></g>`,
  skull: html`<path d="M50 8q36 0 36 36 0 16-12 24v16q0 8-8 8H34q-8 0-8-8V68Q14 60 14 44 14 8 50 8Z" fill="#f4f1ea" stroke="#5a646f" stroke-width="4"/><g fill="#20272e"><circle cx="34" cy="46" r="10"/><circle cx="66" cy="46" r="10"/><path d="M50 56l6 12H44Z"/><path d="M42 92V78M50 92V78M58 92V78" stroke="#20272e" stroke-width="4"/></g>`,
  fish: html`<path d="M8 50Q34 14 68 50 34 86 8 50Z" fill="#56a7d8"/><path d="M62 50L94 26 84 50 94 74Z" fill="#56a7d8"/><circle cx="28" cy="44" r="5" fill="#10202c"/>`,
  bird: html`<path d="M12 58Q28 30 54 40 68 12 90 26 74 38 72 56 66 82 36 80 20 78 12 58Z" fill="#e2ab4d"/><path d="M90 26l-12 10-2-9Z" fill="#c35b35"/><path d="M30 54q18 2 26 18" fill="none" stroke="#8a5f22" stroke-width="5" stroke-linecap="round"/><circle cx="74" cy="31" r="4" fill="#2a1d08"/>`,
  reptile: html`<path d="M8 62q10-26 38-26 22 0 30-14 8-12 18-6 2 16-12 26-10 20-34 24-18 4-26 12Q8 78 8 62Z" fill="#6aad53"/><path d="M38 66l-6 20M60 60l6 20" stroke="#6aad53" stroke-width="8" stroke-linecap="round"/><circle cx="84" cy="22" r="4" fill="#13240c"/>`,
  card: html`<rect x="24" y="10" width="52" height="80" rx="8" fill="#7f8b98"/><rect x="32" y="18" width="36" height="64" rx="4" fill="none" stroke="#dbe2e9" stroke-width="4"/>`,
};

export function Symbol({ of, game, dim }) {
  const drawn = SYMBOLS[of];
  const label = face(game, of);
  if (!drawn) return html`<b class="ka-word ${dim ? "ka-dim" : ""}">${label}</b>`;
  return html`<svg class="ka-symbol ${dim ? "ka-dim" : ""}" viewBox="0 0 100 100" role="img" aria-label=${label}>${drawn}</svg>`;
}

// A die's face may show two symbols.
export function Die({ of, game, mark, used }) {
  const shown = of === "koala_spear" ? ["koala", "spear"] : [of];
  return html`<span class="ka-die ${mark ? "marked" : ""} ${used ? "used" : ""}">${shown.map((each) => html`<${Symbol} of=${each} game=${game}/>`)}</span>`;
}

// A name that may be broken before the bear that most names end with.
const soft = (name) => name.replace(/(\p{L}{2})(bear|bär)/iu, "$1\u00ad$2");

// Letters of the longest part of these cards' names: all of them are set in one size.
export const longestOf = (cards, game) => Math.max(6, ...cards.map((card) => longest(soft(face(game, card.face)).replace("\u00ad", "- "))));

// A card of a tribe: its name, what dice or animals it shows, what lies on it.
export function Bear({ card, game }) {
  const shows = card.kind === "workbear" ? card.animals : card.symbols;
  return html`<div class="ka-card ka-${card.kind} ${card.skull ? "skulled" : ""} ${card.leaves ? "leaves" : ""} ${card.dice.length ? "active" : ""}" data-keep title=${card.text[document.documentElement.lang] || ""}>
    <span class="ka-name">${soft(face(game, card.face))}</span>
    <span class="ka-shows">${shows.map((each) => html`<${Symbol} key=${each} of=${each} game=${game}/>`)}${card.most && html`<b>×${card.most}</b>`}</span>
    ${card.skull && html`<span class="ka-on"><${Symbol} of="skull" game=${game}/></span>`}
    ${card.dice.length > 0 && html`<span class="ka-on">${card.dice.map((die, i) => html`<${Die} key=${i} of=${die} game=${game}/>`)}</span>`}</div>`;
}


// A face as it is chosen by hand: its kind by colour, and what is on it.
export function Face({ of, kind, shows, game }) {
  const on = kind === "die" ? (of === "koala_spear" ? ["koala", "spear"] : [of]) : kind === "king" && !shows.length ? ["crown"] : shows;
  return html`<span class="ka-face ka-${kind}">${on.map((each) => html`<${Symbol} key=${each} of=${each} game=${game}/>`)}</span>`;
}
