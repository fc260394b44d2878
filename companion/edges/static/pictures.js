// Pictures of cards, koalas and players, each in a box of 100 x 100.
import { html } from "./preact-htm.js";

const CARDS = {
  pizza: html`<path d="M8 30Q50-4 92 30L86 41Q50 14 14 41Z" fill="#c1813f"/><path d="M15 40Q50 14 85 40L50 97Z" fill="#f3c453"/>
    <circle cx="40" cy="43" r="7.5" fill="#cf4a3f"/><circle cx="62" cy="46" r="7.5" fill="#cf4a3f"/><circle cx="50" cy="66" r="6.5" fill="#cf4a3f"/>
    <path d="M49 31l7 3M68 34l5 4M44 56l4 3" stroke="#5f9a4a" stroke-width="4" stroke-linecap="round"/>`,
  hamburger: html`<path d="M9 46Q11 14 50 14T91 46Z" fill="#d58f45"/><g fill="#f8e6bd"><ellipse cx="34" cy="28" rx="4" ry="2.6"/><ellipse cx="50" cy="22" rx="4" ry="2.6"/><ellipse cx="66" cy="29" rx="4" ry="2.6"/><ellipse cx="49" cy="34" rx="4" ry="2.6"/></g>
    <path d="M6 52q7-9 14.7 0t14.7 0 14.7 0 14.7 0 14.7 0 14.5 0v5H6Z" fill="#6aad53"/><path d="M7 57h86l-10 8H17Z" fill="#f3c453"/>
    <rect x="9" y="62" width="82" height="12" rx="6" fill="#74452b"/><path d="M12 76h76v3q0 11-13 11H25q-13 0-13-11Z" fill="#d58f45"/>`,
  spaghetti: html`<path d="M14 54Q16 22 50 22T86 54Z" fill="#f4d685"/><g fill="none" stroke="#cf9f45" stroke-width="3.2" stroke-linecap="round"><path d="M22 52q2-18 18-20M34 53q0-12 12-14M78 52q-2-18-18-20M66 53q0-12-12-14M50 53V42"/></g>
    <path d="M30 30Q36 12 52 15 70 14 71 31 62 38 51 34 38 39 30 30Z" fill="#cb4438"/><circle cx="45" cy="24" r="6.5" fill="#8a4a30"/><circle cx="59" cy="26" r="5.5" fill="#8a4a30"/>
    <path d="M6 54h88q-2 30-27 33v4H33v-4Q8 84 6 54Z" fill="#5f8fc4"/><path d="M10 62h80" stroke="#fff" stroke-opacity=".55" stroke-width="4"/>`,
  bump: html`<circle cx="27" cy="66" r="20" fill="#8fa3b5"/><circle cx="74" cy="66" r="20" fill="#e0b064"/><path d="M50 36l4 11 11-5-5 11" fill="none" stroke="#e2574c" stroke-width="0"/>
    <path d="M50 30v14M38 34l6 12M62 34l-6 12" stroke="#e2574c" stroke-width="6" stroke-linecap="round"/><path d="M60 14h22M74 5l11 9-11 9" fill="none" stroke="#e0b064" stroke-width="7" stroke-linecap="round" stroke-linejoin="round"/>`,
  sticky_fingers: html`<path d="M30 92q-14-14-20-34-1-7 5-8 5 0 8 7l5 9V22q0-7 6-7t6 7v24V14q0-7 6-7t6 7v32-28q0-7 6-7t6 7v34-22q0-6 6-6t6 6v38q0 14-10 28Z" fill="#e9b98c"/>
    <path d="M14 70q-9 12 0 18 9-6 0-18ZM78 72q-8 12 1 18 8-6-1-18Z" fill="#8fcf6f"/>`,
  ring_a_roses: html`<g fill="none" stroke="#d979a8" stroke-width="8" stroke-linecap="round"><path d="M18 38A36 36 0 0 1 76 24"/><path d="M82 62A36 36 0 0 1 24 76"/></g><path d="M88 34L68 34 82 14ZM12 66l20 0-14 20Z" fill="#d979a8"/>
    <g fill="#e5566d"><circle cx="50" cy="50" r="9"/></g><g fill="#f5a3b5"><circle cx="50" cy="37" r="6"/><circle cx="50" cy="63" r="6"/><circle cx="37" cy="50" r="6"/><circle cx="63" cy="50" r="6"/></g>`,
  leapfrog: html`<path d="M12 62Q50-14 84 50" fill="none" stroke="#69b35a" stroke-width="8" stroke-linecap="round" stroke-dasharray="13 12"/><path d="M92 36L88 66 64 50Z" fill="#69b35a"/>
    <ellipse cx="47" cy="76" rx="26" ry="17" fill="#69b35a"/><circle cx="35" cy="57" r="9" fill="#69b35a"/><circle cx="59" cy="57" r="9" fill="#69b35a"/><g fill="#fff"><circle cx="35" cy="56" r="5"/><circle cx="59" cy="56" r="5"/></g><g fill="#17210f"><circle cx="35" cy="56" r="2.5"/><circle cx="59" cy="56" r="2.5"/></g><path d="M36 76q11 8 22 0" fill="none" stroke="#17210f" stroke-width="3" stroke-linecap="round"/>`,
  feast: html`<circle cx="50" cy="54" r="31" fill="#e8ecf0"/><circle cx="50" cy="54" r="21" fill="none" stroke="#b9c3cd" stroke-width="3"/><path d="M50 42l4 9 10 1-8 6 3 10-9-6-9 6 3-10-8-6 10-1Z" fill="#e3a73a"/>
    <g fill="none" stroke="#aab4be" stroke-width="5" stroke-linecap="round"><path d="M9 18v18q0 6 3 6v48M4 18v14q0 10 8 10M15 18v14"/><path d="M91 90V18q-8 8-7 30h7"/></g>`,
  team: html`<g fill="#8fb7e0"><circle cx="33" cy="34" r="16"/><path d="M6 84q2-30 27-30t27 30Z"/></g><g fill="#d4e4f5"><circle cx="67" cy="34" r="16"/><path d="M40 84q2-30 27-30t27 30Z"/></g>`,
  question: html`<text x="50" y="80" text-anchor="middle" font-size="88" font-weight="700" fill="#8fb7e0">?</text>`,
  card: html`<rect x="20" y="8" width="60" height="84" rx="9" fill="#7f8b98"/><rect x="28" y="16" width="44" height="68" rx="5" fill="none" stroke="#dbe2e9" stroke-width="4"/><circle cx="50" cy="50" r="10" fill="#dbe2e9"/>`,
  pile: html`<g stroke="#2a3138" stroke-width="3"><rect x="30" y="20" width="54" height="72" rx="8" fill="#5d6975"/><rect x="23" y="14" width="54" height="72" rx="8" fill="#7f8b98"/><rect x="16" y="8" width="54" height="72" rx="8" fill="#aab4be"/></g>`,
  hand: html`<g stroke="#2a3138" stroke-width="3"><rect x="20" y="24" width="40" height="60" rx="7" fill="#7f8b98" transform="rotate(-16 40 54)"/><rect x="40" y="22" width="40" height="60" rx="7" fill="#c6ced6" transform="rotate(14 60 52)"/></g>`,
  flag: html`<path d="M24 6v90" stroke="currentColor" stroke-width="9" stroke-linecap="round"/><path d="M30 10h54L70 31l14 21H30Z" fill="currentColor"/>`,
};
const LIKE = { team_1: "team", team_2: "team", team_3: "team", team_4: "team" };

// The picture of a card's face; a face without one is a plain card.
export function Picture({ of, label }) {
  const drawn = CARDS[of] || CARDS[LIKE[of]] || CARDS.card;
  return html`<svg class="picture" viewBox="0 0 100 100" role=${label ? "img" : "presentation"} aria-label=${label}>${drawn}</svg>`;
}

export function Koala({ colour }) {
  const [fur, line, inner] = colour === "black" ? ["#343b43", "#cfd6dd", "#5a646f"] : ["#f4f1ea", "#3b434c", "#d8c8c0"];
  return html`<svg class="koala ${colour}" viewBox="0 0 100 100" aria-hidden="true">
    <g fill=${fur} stroke=${line} stroke-width="4"><circle cx="20" cy="33" r="16"/><circle cx="80" cy="33" r="16"/><ellipse cx="50" cy="55" rx="35" ry="33"/></g>
    <circle cx="20" cy="33" r="8" fill=${inner}/><circle cx="80" cy="33" r="8" fill=${inner}/>
    <g fill=${line}><ellipse cx="50" cy="61" rx="8.5" ry="12.5"/><circle cx="34" cy="50" r="4.5"/><circle cx="66" cy="50" r="4.5"/></g></svg>`;
}

// Players by colour, shape and number; each holds for people who see one of them badly.
const COLOURS = ["#e69f00", "#56b4e9", "#1fb98a", "#f0e442", "#5e8bff", "#ff7043", "#f29fc6", "#ffffff", "#c9ad87", "#a9b4c0"];
const SHAPES = [
  ["M50 4A46 46 0 1 1 49.9 4Z", 50, 68],
  ["M10 10H90V90H10Z", 50, 68],
  ["M50 2L98 92H2Z", 50, 82],
  ["M50 0L98 50 50 100 2 50Z", 50, 68],
  ["M50 0L67 27 100 34 77 60 81 95 50 81 19 95 23 60 0 34 33 27Z", 50, 70],
  ["M26 6H74L98 50 74 94H26L2 50Z", 50, 68],
  ["M30 4H70V30H96V70H70V96H30V70H4V30H30Z", 50, 68],
  ["M64 2A49 49 0 1 0 98 72 44 44 0 0 1 64 2Z", 38, 70],
  ["M50 2L97 37 79 94H21L3 37Z", 50, 70],
  ["M50 0Q92 46 88 66A39 34 0 0 1 12 66Q8 46 50 0Z", 50, 80],
];

export const colour = (index) => COLOURS[index % COLOURS.length];

export function Badge({ index }) {
  const [path, x, y] = SHAPES[index % SHAPES.length];
  return html`<svg class="badge" viewBox="-4 -4 108 108" role="img" aria-label=${index + 1}>
    <path d=${path} fill=${colour(index)} stroke="#14181c" stroke-width="5" stroke-linejoin="round"/>
    <text x=${x} y=${y} text-anchor="middle" font-size="52" font-weight="700" fill="#111418">${index + 1}</text></svg>`;
}
