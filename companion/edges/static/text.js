// What is said on screens: phrases of the games and the screens' own words, in the language of this screen.

let spoken = { lang: "en", common: {}, screen: {} };
let games = {}; // game: all it says; null while it is on its way

// The language that this phone was switched to.
function chosen() {
  try {
    return localStorage.getItem("lang");
  } catch {
    return null; // a private window forgets
  }
}

export function language() {
  const wanted = new URLSearchParams(location.search).get("lang") || chosen() || navigator.language || "en";
  return wanted.toLowerCase().startsWith("de") ? "de" : "en";
}

export async function load(lang) {
  const answer = await fetch(`/phrases/${lang}`);
  if (!answer.ok) throw new Error(`phrases: ${answer.status}`);
  spoken = await answer.json();
  games = {};
  document.documentElement.lang = spoken.lang;
}

// Whether a game's phrases are here; if not they are fetched, and `again()` is called once they are.
export function knows(game, again) {
  if (!game) return true;
  if (games[game]) return true;
  if (games[game] === undefined) {
    const asked = games;
    asked[game] = null;
    const arrived = (texts) => { asked[game] = texts; again(); };
    const failed = () => setTimeout(() => { delete asked[game]; again(); }, 1000);
    fetch(`/phrases/${spoken.lang}/${game}`).then((answer) => (answer.ok ? answer.json() : Promise.reject(answer.status))).then(arrived).catch(failed);
  }
  return false;
}

const fill = (text, values) => text.replace(/\{(\w+)\}/g, (all, name) => (name in values ? values[name] : all));

const table = (game) => games[game] || spoken.common;

// "@pizza" is itself a phrase; "@pizza, @pizza, @bump" is counted: "2 × pizza, Bump".
function word(game, value) {
  if (typeof value !== "string" || !value.includes("@")) return value;
  const counts = new Map();
  for (const part of value.split(", ")) counts.set(part, (counts.get(part) || 0) + 1);
  const one = (part) => (part.startsWith("@") ? table(game)[part.slice(1)] ?? part.slice(1) : part);
  return [...counts].map(([part, n]) => (n > 1 ? `${n} × ${one(part)}` : one(part))).join(", ");
}

// The sentence of {key, values}; a missing phrase shows its key rather than nothing.
export function say(game, told) {
  if (!told) return "";
  const values = Object.fromEntries(Object.entries(told.values || {}).map(([k, v]) => [k, word(game, v)]));
  const text = table(game)[told.key] ?? table("")[told.key];
  return text === undefined ? told.key : fill(text, values);
}

// A refusal, and what stands behind it.
export function refused(game, told) {
  return told && told.cause ? `${say(game, told)} (${say(game, told.cause)})` : say(game, told);
}

const LONGEST = 170; // letters of a caption

// As many of the last sentences as can be read in the time that they stand there.
export const newest = (sentences) => sentences.reduceRight((told, each) => (told && told.length + each.length > LONGEST ? told : told ? `${each}  ${told}` : each), "");

export const has = (game, key) => key in table(game);

// What a choice asks; without a phrase its name rather than nothing.
export const question = (game, cue) => (has(game, `ask.${cue}`) ? say(game, { key: `ask.${cue}` }) : cue);

export const face = (game, name) => table(game)[name] ?? name;

// Letters of the longest word: a name is set so small that no word of it breaks.
export const longest = (text) => Math.max(6, ...text.split(" ").map((word) => word.length));

// A word of the screens themselves.
export const w = (key, values = {}) => fill(spoken.screen[key] ?? key, values);

// Cards that lay down numbers: "fishbear:02" is a Fishbear, and its number is told only where two of them are meant.
const CARD = /^(.*?)([a-z_]+):(\d\d)$/;

function told(game, name, numbered) {
  if (face(game, name) !== name) return face(game, name);
  if (name.includes("+")) return name.split("+").map((each) => told(game, each, numbered)).join(" + ");
  const one = (part) => table(game)[part] ?? (/^[a-f]$/.test(part) ? table(game)[`zone.cave:${part}`] : undefined) ?? part;
  const [, before, of, number] = CARD.exec(name) || [];
  const parts = of && has(game, of) ? [...before.split(":").filter(Boolean).map(one), numbered ? `${one(of)} ${number}` : one(of)] : name.split(":").map(one);
  return parts.join(": ");
}

// What an option is called: names of the game's own (a badge of an own map) are told with its view.
export const named = (state, name, all = []) => (state.view && state.view.words && state.view.words[name] ? say(state.game, state.view.words[name]) : option(state.game, name, all));

// An option of a question, among all of them: "left:Mia" -> "left: Mia", "a:pizza" -> "cave A: pizza",
// "pondbear:03+lizardbear:01" -> "Pondbear + Lizardbear".
export function option(game, name, all = []) {
  const plain = told(game, name, false);
  return all.some((other) => other !== name && told(game, other, false) === plain) ? told(game, name, true) : plain;
}

// What the card does that an option names ("koala:birdbear:03", "birdbear:03"), where the view tells its text; else "".
export function does(state, name) {
  const tribes = (state.view && state.view.tribes) || [];
  const cards = tribes.flatMap((tribe) => [...tribe.left, tribe.king, ...tribe.right]).filter(Boolean);
  const card = cards.find(({ id }) => name === id || name.endsWith(`:${id}`));
  return card ? card.text[spoken.lang] || card.text.en || "" : "";
}

const same = (one, other) => one.toLowerCase() === other.toLowerCase();

const NAMED = { starter: "cue.start", whose: "cue.mine" }; // what a press says for whom a choice can name

// The presses of some cues without those that a choice offers as well: in the same words, or as a name.
export function presses(game, cues) {
  const choices = cues.filter((cue) => cue.is === "choose");
  const offered = (press) => choices.some((cue) => (cue.player === press.player && cue.options.some((name) => same(option(game, name), say(game, { key: press.why }))))
    || (press.why === NAMED[cue.cue] && cue.options.includes(press.player)));
  return cues.filter((cue) => cue.is === "press" && !offered(cue));
}
