// What is wrong with how a page is laid out: text that is cut, lies over other text or pictures, or is off the screen.
// Called as ({ scrolls, cut, over }) => list of sentences. `scrolls`: whether the page may be longer than the screen.
// `cut`, `over`: selectors of what may be shortened by dots, and of what is meant to lie on something else.
({ scrolls, cut, over }) => {
  const found = new Set();
  const near = 1.5;
  const box = (r) => ({ left: r.left, top: r.top, right: r.right, bottom: r.bottom });
  const meet = (a, b) => ({ left: Math.max(a.left, b.left), top: Math.max(a.top, b.top), right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom) });
  const wide = (r) => r.right - r.left, high = (r) => r.bottom - r.top;
  const seen = (e) => e.checkVisibility({ visibilityProperty: true }); // what is folded has a box too, over what follows
  const within = (e, words) => words && e.closest(words);
  const short = (text) => text.trim().replace(/\s+/g, " ").slice(0, 40);
  const name = (e) => `${e.tagName.toLowerCase()}.${[...e.classList].join(".") || "-"} in ${e.parentElement ? e.parentElement.className.baseVal ?? e.parentElement.className : ""}`;
  // The part of a box that its ancestors let through.
  const window_ = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const bound = (e, r) => {
    let left = r, by = null;
    for (let at = e; at && at !== document.body; at = at.parentElement) {
      const s = getComputedStyle(at);
      if (s.overflowX === "visible" && s.overflowY === "visible") { if (s.position === "fixed") break; continue; }
      if (s.overflowX === "auto" || s.overflowX === "scroll" || s.overflowY === "auto" || s.overflowY === "scroll") return [left, null, true];
      const frame = box(at.getBoundingClientRect()), next = meet(left, frame);
      if (wide(next) < wide(left) - near || high(next) < high(left) - near) by = by || at;
      left = next;
    }
    return [left, by, false];
  };
  const things = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const e = node.parentElement;
    if (!node.textContent.trim() || /^(OPTION|NOSCRIPT|SCRIPT|STYLE|TITLE)$/i.test(e.tagName) || !seen(e)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) {
      if (rect.width < 1 || rect.height < 1) continue;
      const size = parseFloat(getComputedStyle(e).fontSize), middle = (rect.top + rect.bottom) / 2;
      const inSvg = e instanceof SVGElement;
      // The letters themselves: a line box is higher than what is written in it.
      const letters = inSvg ? box(rect) : { left: rect.left, right: rect.right, top: Math.max(rect.top, middle - 0.42 * size), bottom: Math.min(rect.bottom, middle + 0.42 * size) };
      const [left, by, scrolled] = bound(e, letters);
      const text = `"${short(node.textContent)}" (${name(e)})`;
      if (by && !within(e, cut)) found.add(`cut: ${text} by ${name(by)}`);
      if (wide(left) <= 0 || high(left) <= 0) { if (!within(e, cut)) found.add(`hidden: ${text}`); continue; }
      if (!scrolled && (left.left < -near || left.right > innerWidth + near || (!scrolls && (left.top < -near || left.bottom > innerHeight + near)))) found.add(`off the screen: ${text}`);
      things.push({ e, text, box: left, words: true });
    }
  }
  for (const e of document.querySelectorAll("svg, img, button, input, select")) {
    if (!seen(e) || e.parentElement.closest("svg") || within(e, over)) continue;
    const rect = box(e.getBoundingClientRect());
    if (wide(rect) < 4 || high(rect) < 4) continue;
    const [left, by, scrolled] = bound(e, rect);
    if (by && e.tagName !== "svg" && e.tagName !== "SVG" && !within(e, cut)) found.add(`cut: ${name(e)} by ${name(by)}`);
    if (!scrolled && !scrolls && (rect.left < -near || rect.top < -near || rect.right > innerWidth + near || rect.bottom > innerHeight + near)) found.add(`off the screen: ${name(e)}`);
    things.push({ e, text: name(e), box: left, words: false });
  }
  const apart = things.filter((each) => !within(each.e, over)).sort((a, b) => a.box.top - b.box.top);
  for (const [i, a] of apart.entries()) for (let j = i + 1; j < apart.length && apart[j].box.top < a.box.bottom - 2; j += 1) {
    const b = apart[j];
    if (a.e === b.e || (!a.words && !b.words) || a.e.contains(b.e) || b.e.contains(a.e)) continue;
    const both = meet(a.box, b.box);
    if (wide(both) > 2 && high(both) > 2) found.add(`over each other: ${a.text} and ${b.text}`);
  }
  for (const e of document.querySelectorAll("p, h1, h2, h3, li, td, th, span, b, button, label")) {
    if (e.scrollWidth > e.clientWidth + 2 && e.clientWidth > 0 && getComputedStyle(e).overflowX === "hidden" && seen(e) && !within(e, cut)) found.add(`does not fit: "${short(e.innerText)}" (${name(e)})`);
  }
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth + 1) found.add(`the page is ${root.scrollWidth} px wide`);
  if (!scrolls && root.scrollHeight > innerHeight + 1) found.add(`the page is ${root.scrollHeight} px high`);
  return [...found];
}
