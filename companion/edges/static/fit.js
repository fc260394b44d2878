// Text as large as its screen allows: what does not fit is made smaller until it does, and nothing is cut.

const FLOOR = 0.34;
const NEAR = 2; // px of height that nobody sees

const spills = (e) => e.scrollWidth > e.clientWidth || e.scrollHeight > e.clientHeight + NEAR;

// Every part of a page with the class "fit" scales its letters by --scale; `data-keep` marks what must hold its content.
export function fit(page = document) {
  const parts = [...page.querySelectorAll(".fit")].sort((a, b) => (a.tagName === "MAIN") - (b.tagName === "MAIN")); // it takes what the others leave
  for (const part of parts) {
    const set = (scale) => part.style.setProperty("--scale", scale.toFixed(3));
    const all = [part, ...part.querySelectorAll("[data-keep]")].filter((e) => e.getClientRects().length && getComputedStyle(e).display !== "inline");
    set(1);
    if (!all.some(spills)) continue;
    set(FLOOR);
    const kept = all.filter((e) => !spills(e)); // what does not fit even so is no reason to make everything small
    let low = FLOOR, high = 1;
    for (let i = 0; i < 6; i += 1) {
      const middle = (low + high) / 2;
      set(middle);
      if (kept.some(spills)) high = middle;
      else low = middle;
    }
    set(low);
  }
  document.dispatchEvent(new Event("fitted"));
}

let set = 0; // inches, as the settings of the table say

// Letters that are read from two metres have capitals of 12.8 mm, of which a font is 1.37 times as high; how many px
// that is depends on the screen, whose diagonal is told (by companion.toml, or ?diagonal=15.6) or taken as usual for
// so many pixels.
export function glance(diagonal) {
  set = diagonal || set;
  const told = Number(new URLSearchParams(location.search).get("diagonal")) || set;
  const across = Math.hypot(innerWidth, innerHeight);
  const inches = told > 2 && told < 200 ? told : across < 1000 ? 7 : across < 1300 ? 10 : 24;
  const far = (17.5 * across) / (25.4 * inches);
  document.body.style.setProperty("--glance", `${far.toFixed(1)}px`);
  return far;
}

// Fit now, after every change of size, and once a game's own styles have come.
export function fitting() {
  const all = () => { glance(); fit(); };
  addEventListener("resize", all);
  document.head.addEventListener("load", all, true);
  glance();
}
