// The map editor of Koala Rescue Club on the operator's page: the owner's own sheet, cell by cell, as a map.toml.
import { html, useState } from "../preact-htm.js";
import { face, say } from "../text.js";

const GAME = "rescue", KEEP = "rescue.map.toml";
const KINDS = ["", "tree", "koala", "volunteer", "hospital", "skybridge"], NEEDS = ["trees", "koalas", "skybridges", "volunteers", "hospitals"];
const NEXT = { ".": "K", K: "T", T: "." };
const t = (key, values) => say(GAME, { key: `edit.${key}`, values });
const kept = () => { try { return localStorage.getItem(KEEP) || ""; } catch { return ""; } };
const keep = (text) => { try { localStorage.setItem(KEEP, text); } catch { /* a private window forgets */ } };

const BLANK = { name: "my map", source: "owner", verified: false, start_area: "A", start_volunteers: 1, volunteer_slots: 6, ranks: [13, 17, 21, 25],
  shapes_source: "unverified", areas: [{ id: "A", at: [0, 0], rows: ["KKK", "KKK"], row_bonus: ["", ""], col_bonus: ["", "", ""] }], hospitals: [], badges: [] };

// Our files use only "key = value" with values that JSON knows, and [[tables]]; the server reads any TOML.
export function parse(text) {
  const map = {};
  let into = map;
  text.split("\n").forEach((raw, n) => {
    const line = raw.trim();
    if (!line || line.startsWith("#")) return;
    const table = /^\[\[(\w+)\]\]$/.exec(line), pair = /^(\w+)\s*=\s*(.+)$/.exec(line);
    if (table) (map[table[1]] = map[table[1]] || []).push(into = {});
    else if (pair) into[pair[1]] = JSON.parse(pair[2]);
    else throw new Error(String(n + 1));
  });
  return { ...BLANK, hospitals: [], badges: [], ...map };
}

export function write(map) {
  const pair = ([key, value]) => `${key} = ${JSON.stringify(value)}`;
  const tables = ["areas", "hospitals", "badges"];
  const flat = Object.entries(map).filter(([key, value]) => !tables.includes(key) && value !== undefined).map(pair);
  return [...flat, ...tables.flatMap((name) => map[name].flatMap((row) => ["", `[[${name}]]`, ...Object.entries(row).map(pair)]))].join("\n") + "\n";
}

const fitted = (list, size) => Array.from({ length: size }, (_, i) => list[i] || "");

// An area of another size: cells and bonuses that stay keep their places.
function sized(area, high, wide) {
  const rows = Array.from({ length: Math.max(1, Math.min(12, high)) }, (_, r) => (area.rows[r] || "").padEnd(wide, "K").slice(0, Math.max(1, Math.min(12, wide))));
  return { ...area, rows, row_bonus: fitted(area.row_bonus || [], rows.length), col_bonus: fitted(area.col_bonus || [], rows[0].length) };
}

// `others`: where a skybridge may lead: never to the area it stands in. Without another area there is none.
function Bonus({ value, others, set, label }) {
  const [kind, ...rest] = value.split(" ");
  const led = rest.find((word) => /^[A-Z]+$/.test(word)), areas = led && !others.includes(led) ? [led, ...others] : others;
  const times = (rest.find((word) => /^x\d$/.test(word)) || "x1").slice(1), to = led || others[0];
  const told = (k, n, where) => set(k ? [k, ...(Number(n) > 1 ? [`x${n}`] : []), ...(k === "skybridge" ? [where] : [])].join(" ") : "");
  return html`<span class="end"><select aria-label=${label} value=${kind} onChange=${(e) => told(e.target.value, times, to)}>${KINDS.filter((each) => each !== "skybridge" || areas.length).map((each) => html`<option value=${each}>${each ? face(GAME, each) : "–"}</option>`)}</select>
    ${kind === "skybridge" ? html`<select aria-label=${t("leads")} value=${to} onChange=${(e) => told(kind, times, e.target.value)}>${areas.map((each) => html`<option value=${each}>${each}</option>`)}</select>`
      : kind && html`<input type="number" min="1" max="9" aria-label=${t("times")} value=${times} onChange=${(e) => told(kind, e.target.value, to)}/>`}</span>`;
}

function Area({ area, areas, set, drop }) {
  const others = areas.filter((each) => each !== area.id);
  const high = area.rows.length, wide = area.rows[0].length;
  const cell = (r, c) => set({ ...area, rows: area.rows.map((row, i) => (i === r ? row.slice(0, c) + NEXT[row[c]] + row.slice(c + 1) : row)) });
  const end = (side, i, value) => set({ ...area, [side]: area[side].map((each, n) => (n === i ? value : each)) });
  const full = sized(area, high, wide), at = area.at || [0, 0];
  const number = (label, value, change, least = 1) => html`<label><span>${label}</span><input type="number" min=${least} max="12" value=${value} onChange=${(e) => change(Number(e.target.value))}/></label>`;
  return html`<fieldset class="map-area"><legend><b>${area.id}</b> <button aria-label=${t("drop", { what: area.id })} onClick=${drop}>×</button></legend>
    <div class="grid">${number(t("rows"), high, (n) => set(sized(area, n, wide)))}${number(t("columns"), wide, (n) => set(sized(area, high, n)))}
      ${number(t("at_row"), at[0] + 1, (n) => set({ ...area, at: [n - 1, at[1]] }))}${number(t("at_column"), at[1] + 1, (n) => set({ ...area, at: [at[0], n - 1] }))}</div>
    ${full.rows.map((row, r) => html`<div class="map-row">${[...row].map((kind, c) => html`<button class="map-cell ${kind === "." ? "none" : kind}" data-cell=${`${area.id}${r}${c}`} aria-label=${t(`cell.${kind === "." ? "none" : kind}`)} onClick=${() => cell(r, c)}>${kind === "." ? "" : kind}</button>`)}
      <${Bonus} value=${full.row_bonus[r]} others=${others} label=${t("row_bonus", { n: r + 1 })} set=${(value) => end("row_bonus", r, value)}/></div>`)}
    <div class="map-ends">${full.col_bonus.map((value, c) => html`<label><span>${t("col_bonus", { n: c + 1 })}</span><${Bonus} value=${value} others=${others} label=${t("col_bonus", { n: c + 1 })} set=${(told) => end("col_bonus", c, told)}/></label>`)}</div></fieldset>`;
}

function Rows({ title, rows, fields, fresh, set }) {
  const put = (i, key, value) => set(rows.map((row, n) => (n === i ? { ...row, [key]: value } : row)));
  return html`<fieldset><legend>${title}</legend>${rows.map((row, i) => html`<div class="row" key=${i}>${fields.map(([key, kind, options]) => html`<label><span>${t(key)}</span>${kind === "choice"
      ? html`<select value=${row[key]} onChange=${(e) => put(i, key, e.target.value)}>${options.map((each) => html`<option value=${each}>${each ? t(each) === `edit.${each}` ? each : t(each) : "–"}</option>`)}</select>`
      : kind === "pair" ? html`<span>${[0, 1].map((n) => html`<input type="number" min="0" max="20" value=${row[key][n]} onChange=${(e) => put(i, key, row[key].map((v, k) => (k === n ? Number(e.target.value) : v)))}/>`)}</span>`
      : html`<input type="number" min="-20" max="20" value=${row[key]} onChange=${(e) => put(i, key, Number(e.target.value))}/>`}</label>`)}
      <button aria-label=${t("drop", { what: row.id })} onClick=${() => set(rows.filter((_, n) => n !== i))}>×</button></div>`)}
    <button onClick=${() => set([...rows, fresh(rows.length + 1)])}>+</button></fieldset>`;
}

const UNVERIFIED = [[[0, 0], [0, 1]], [[0, 0], [0, 1]], [[0, 0], [0, 1], [0, 2]], [[0, 0], [0, 1], [1, 0]], [[0, 0], [0, 1], [0, 2], [1, 0]], [[0, 0], [0, 1], [0, 2], [1, 1]]];

// The six shapes: compared with the lower left of the owner's sheet they become the owner's own.
function Shapes({ map, set }) {
  const shapes = map.shapes || UNVERIFIED;
  const has = (n, r, c) => shapes[n].some(([row, col]) => row === r && col === c);
  const tap = (n, r, c) => set({ ...map, shapes_source: "owner", shapes: shapes.map((shape, k) => (k !== n ? shape : has(n, r, c) ? shape.filter(([row, col]) => row !== r || col !== c) : [...shape, [r, c]])) });
  return html`<fieldset><legend>${t("shapes")}</legend>${map.shapes_source === "unverified" && html`<p class="quiet">${say(GAME, { key: "shape.unverified" })}</p>`}
    <div class="row">${shapes.map((_, n) => html`<div class="map-shape"><b>${n + 1}</b>${[0, 1, 2].map((r) => html`<div class="map-row">${[0, 1, 2, 3].map((c) => html`<button class="map-cell ${has(n, r, c) ? "K" : "none"}" aria-pressed=${has(n, r, c)} aria-label=${`${n + 1}: ${r + 1}, ${c + 1}`} onClick=${() => tap(n, r, c)}></button>`)}</div>`)}</div>`)}</div></fieldset>`;
}

export function Setup({ chosen, choose }) {
  const text = chosen.map || "";
  const [fault, setFault] = useState("");
  let map = null;
  try { map = text && parse(text); } catch { map = null; }
  const set = (next) => { const told = write(next); keep(told); choose("map", told); };
  const bring = (told) => { try { parse(told); setFault(""); keep(told); choose("map", told); } catch (why) { setFault(t("fault", { line: why.message })); } };
  const load = async (event) => { const [file] = event.target.files; if (file) bring(await file.text()); event.target.value = ""; };
  // Whoever draws on sheets of paper that the companion does not know plays light: it shows no badges of another map.
  const sheets = html`<label><span>${t("sheets")}</span><select value=${chosen["RESC-AMB-01"] || "practice_map"} onChange=${(e) => choose("RESC-AMB-01", e.target.value)}>
    <option value="practice_map">${t("sheets.known")}</option><option value="light_only">${t("sheets.own")}</option></select></label>`;
  if (!text) return html`${sheets}<details class="map-editor"><summary>${t("title")}</summary><p class="quiet">${say(GAME, { key: "map.made_up" })}</p><div class="row">
    ${kept() && html`<button onClick=${() => bring(kept())}>${t("kept")}</button>`}<button onClick=${() => set(BLANK)}>${t("begin")}</button><label class="file"><span>${t("import")}</span><input type="file" accept=".toml" onChange=${load}/></label></div>${fault && html`<p role="alert" class="refusal">${fault}</p>`}</details>`;
  const ids = map ? map.areas.map((area) => area.id) : [];
  const another = () => String.fromCharCode(65 + [...Array(26).keys()].find((n) => !ids.includes(String.fromCharCode(65 + n))));
  return html`<details class="map-editor" open><summary>${t("title")}</summary><div class="row"><button onClick=${() => choose("map", "")}>${t("practice")}</button>
      <a class="button" download="map.toml" href=${`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}>${t("export")}</a><label class="file"><span>${t("import")}</span><input type="file" accept=".toml" onChange=${load}/></label></div>
    ${fault && html`<p role="alert" class="refusal">${fault}</p>`}
    ${map && html`${map.areas.map((area, i) => html`<${Area} key=${area.id} area=${sized(area, area.rows.length, area.rows[0].length)} areas=${ids} set=${(next) => set({ ...map, areas: map.areas.map((each, n) => (n === i ? next : each)) })} drop=${() => map.areas.length > 1 && set({ ...map, areas: map.areas.filter((_, n) => n !== i) })}/>`)}
    <button onClick=${() => set({ ...map, areas: [...map.areas, { ...BLANK.areas[0], id: another(), at: [Math.max(...map.areas.map((each) => (each.at || [0])[0] + each.rows.length)) + 1, 0] }] })}>${t("add_area")}</button>
    <div class="grid"><label><span>${t("name")}</span><input maxlength="40" value=${map.name} onChange=${(e) => set({ ...map, name: e.target.value.trim() || BLANK.name })}/></label>
      <label class="check"><input type="checkbox" checked=${map.verified} onChange=${(e) => set({ ...map, verified: e.target.checked })}/>${t("verified")}</label>
      <fieldset><legend>${t("ranks")}</legend><div class="row">${map.ranks.map((least, n) => html`<input type="number" min="-20" max="99" aria-label=${t("rank", { n: n + 2 })} value=${least} onChange=${(e) => set({ ...map, ranks: map.ranks.map((each, k) => (k === n ? Number(e.target.value) : each)) })}/>`)}</div></fieldset>
      ${["start_volunteers", "volunteer_slots"].map((key) => html`<label><span>${t(key)}</span><input type="number" min="0" max="8" value=${map[key]} onChange=${(e) => set({ ...map, [key]: Number(e.target.value) })}/></label>`)}
      <label><span>${t("start_area")}</span><select value=${map.start_area} onChange=${(e) => set({ ...map, start_area: e.target.value })}>${ids.map((id) => html`<option value=${id} selected=${id === map.start_area}>${id}</option>`)}</select></label></div>
    <${Rows} title=${t("hospitals")} rows=${map.hospitals} fields=${[["size"], ["points"], ["penalty"]]} fresh=${(n) => ({ id: `h${n}`, size: 2, points: 1, penalty: 0 })} set=${(hospitals) => set({ ...map, hospitals })}/>
    <${Rows} title=${t("badges")} rows=${map.badges} fields=${[["points", "pair"], ["needs", "choice", NEEDS], ["of", "choice", ["", ...ids]], ["count"]]} fresh=${(n) => ({ id: `b${n}`, points: [3, 2], needs: "trees", of: ids[0], count: 0 })} set=${(badges) => set({ ...map, badges })}/>
    <${Shapes} map=${map} set=${set}/>`}</details>`;
}
