// The view through the camera: what is read, how well each zone is seen, what to do, which doubts a person decides.
const lang = (() => {
  const wanted = new URLSearchParams(location.search).get("lang") || navigator.language || "en";
  return wanted.toLowerCase().startsWith("de") ? "de" : "en";
})();
const at = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";
const layers = { markers: true, zones: true, glare: true, blur: false };
let words = {};
let busy = false;
let kept = 0; // until when the last answer stays readable

function made(name, parent, attributes = {}, text = "") {
  const node = parent.namespaceURI === SVG || name === "svg" ? document.createElementNS(SVG, name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (text) node.textContent = text;
  parent.append(node);
  return node;
}

const outline = (corners) => corners.map((spot) => spot.join(",")).join(" ");

// A part of a zone: its four corners lie on the zone's own grid, near enough to straight for a picture.
function part(polygon, row, column, rows, columns) {
  const mix = (a, b, t) => [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t];
  const spot = (r, c) => mix(mix(polygon[0], polygon[1], c), mix(polygon[3], polygon[2], c), r);
  return [[row, column], [row, column + 1], [row + 1, column + 1], [row + 1, column]].map(([r, c]) => spot(r / rows, c / columns));
}

function shade(over, zone, map, kind, part_of) {
  map.forEach((line, row) => line.forEach((amount, column) => {
    const strong = Math.min(0.6, part_of(amount));
    if (strong < 0.05) return;
    made("polygon", over, { class: `part ${kind}`, points: outline(part(zone.polygon, row, column, map.length, line.length)), "fill-opacity": strong.toFixed(2) });
  }));
}

function draw(state) {
  const over = at("over");
  over.replaceChildren();
  over.setAttribute("viewBox", `0 0 ${state.size[0]} ${state.size[1]}`);
  for (const zone of state.zones) {
    if (layers.glare) shade(over, zone, zone.glare, "glare", (amount) => amount);
    if (layers.blur) shade(over, zone, zone.blur, "blur", (amount) => 2 * (amount / Math.max(1, zone.px / 7) - 0.3));
    if (!layers.zones) continue;
    made("polygon", over, { class: zone.grade, points: outline(zone.polygon) });
    made("text", over, { x: zone.polygon[0][0] + 6, y: zone.polygon[0][1] + 22 }, `${zone.name}: ${zone.cards.length}${zone.held ? ` (${zone.held})` : ""}`);
  }
  // Markers side by side have their words at three heights, so that a fan can be read.
  const sorted = [...state.markers].sort((a, b) => a.corners[0][0] - b.corners[0][0]);
  if (layers.markers) sorted.forEach((marker, n) => {
    made("polygon", over, { class: "mark", points: outline(marker.corners) });
    made("text", over, { x: marker.corners[3][0], y: marker.corners[2][1] + 18 + 18 * (n % 3) }, `${marker.name} ${marker.score.toFixed(2)}`);
  });
  for (const doubt of state.doubts) made("polygon", over, { class: "doubt", points: outline(doubt.corners) });
}

function list(state) {
  const told = [...state.wrong.map((text) => [text, "wrong"]), ...[...state.advice, ...state.zones.flatMap((zone) => zone.advice)].map((text) => [text, ""])];
  const shown = told.length ? told : [[words.all_well, "well"]];
  const box = at("advice");
  if (box.textContent === shown.map(([text]) => text).join("")) return;
  box.replaceChildren();
  for (const [text, kind] of shown) made("li", box, { class: kind }, text);
}

async function rule(number, marker) {
  await fetch("/op/look/rule", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ number: String(number), marker }) });
}

function ask(state) {
  const asked = state.doubts.filter((doubt) => doubt.asked);
  const key = JSON.stringify(asked.map((doubt) => [doubt.number, doubt.likely.map((each) => each.marker)]));
  const box = at("doubts");
  if (box.dataset.key === key) return;
  box.dataset.key = key;
  box.replaceChildren();
  for (const doubt of asked) {
    made("h2", box, {}, `${doubt.zone}: ${words.doubt}`);
    const row = made("div", box, { class: "row" });
    for (const each of doubt.likely) {
      const button = made("button", row, {}, `${each.name} ${each.card || each.marker} (${Math.round(100 * each.share)} %)`);
      button.addEventListener("click", () => rule(doubt.number, String(each.marker)));
    }
    made("button", row, { class: "plain" }, words.nothing).addEventListener("click", () => rule(doubt.number, ""));
  }
}

function table(state) {
  const box = at("zones");
  box.replaceChildren();
  const head = made("tr", box);
  for (const name of ["zone", "cards", "marker", "blur", "light", "glare"]) made("th", head, { scope: "col" }, words[name]);
  for (const zone of state.zones) {
    const row = made("tr", box);
    made("td", row, { class: zone.grade }, zone.name);
    made("td", row, {}, `${zone.cards.length}${zone.held ? ` · ${zone.held}` : ""}`);
    made("td", row, { class: zone.px < state.need_px ? "poor" : "" }, `${zone.px} / ${state.need_px} px`);
    made("td", row, {}, `${zone.blur_px} px`);
    made("td", row, {}, `${zone.light} %`);
    made("td", row, {}, `${Math.round(100 * Math.max(0, ...zone.glare.flat()))} %`);
  }
}

function label(state) {
  if (words === state.words) return;
  const first = !words.title;
  words = state.words;
  if (!first) return;
  document.documentElement.lang = lang;
  document.title = at("title").textContent = words.title;
  at("save").textContent = words.save;
  at("back").textContent = words.back;
  at("picture").alt = words.title;
  for (const name of Object.keys(layers)) {
    const box = made("label", at("layers"));
    const tick = made("input", box, { type: "checkbox" });
    tick.checked = layers[name];
    tick.addEventListener("change", () => { layers[name] = tick.checked; });
    box.append(words[name] || name);
  }
}

async function once() {
  const answer = await fetch(`/op/look/state?lang=${lang}`);
  if (answer.status === 403) { location.href = `/op?lang=${lang}`; return; }
  const state = await answer.json();
  label(state);
  if (Date.now() > kept) at("told").textContent = state.none ? words.none : "";
  if (state.none) return;
  draw(state);
  list(state);
  ask(state);
  table(state);
  await new Promise((done) => {
    at("picture").onload = at("picture").onerror = done;
    at("picture").src = `/op/look/picture?at=${state.at}`;
  });
}

async function save() {
  const answer = await fetch(`/op/bundle?lang=${lang}`, { method: "POST" });
  if (!answer.ok) {
    at("told").textContent = [404, 409].includes(answer.status) ? await answer.text() : words.none;
    kept = Date.now() + 6000;
    return;
  }
  const name = (answer.headers.get("content-disposition") || "").split('"')[1] || "bundle.zip";
  const link = made("a", document.body, { href: URL.createObjectURL(await answer.blob()), download: name });
  link.click();
  link.remove();
  kept = Date.now() + 6000;
  at("told").textContent = words.saved.replace("{name}", name);
}

at("save").addEventListener("click", save);
addEventListener("keydown", (event) => { if (event.key === "b" && !event.ctrlKey && !event.metaKey && !event.altKey) save(); });
setInterval(async () => {
  if (busy || document.hidden) return;
  busy = true;
  try { await once(); } catch { at("told").textContent = words.stale || "…"; } finally { busy = false; }
}, 400);
