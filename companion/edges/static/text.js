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

// "@pizza" is itself a phrase; "@pizza, @pizza, @bump" is counted: "2 pizza, Bump".
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

export const face = (game, name) => table(game)[name] ?? name;

// Letters of the longest word: a name is set so small that no word of it breaks.
export const longest = (text) => Math.max(6, ...text.split(" ").map((word) => word.length));

// A word of the screens themselves.
export const w = (key, values = {}) => fill(spoken.screen[key] ?? key, values);

// An option of a question: "left:Mia" -> "left: Mia", "a:pizza" -> "cave A: pizza", "left:Mia" keeps names.
export function option(game, name) {
  const one = (part) => table(game)[part] ?? (/^[a-f]$/.test(part) ? table(game)[`zone.cave:${part}`] : undefined) ?? part;
  return face(game, name) !== name ? face(game, name) : name.split(":").map(one).join(": ");
}
