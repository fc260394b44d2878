// A countdown: a ring that empties around its content, with seconds or the syllables that are being called.
import { html, useEffect, useRef, useState } from "./preact-htm.js";
import { say, w } from "./text.js";

// The clock that matters most to the people at the table.
export function foremost(clocks) {
  const rank = (clock) => (clock.beats.length ? 0 : clock.name === "quiet" ? 9 : 1);
  return [...(clocks || [])].sort((a, b) => rank(a) - rank(b) || a.ends - b.ends)[0] || null;
}

export function left(live, clock) {
  return Math.max(0, Math.min(clock.total, clock.ends - live.now()));
}

// Which beat of a clock is being called now; -1 while it has not begun.
const beat = (live, clock) => Math.min(clock.beats.length - 1, Math.max(-1, Math.floor((1 - (clock.ends - live.now()) / clock.total) * clock.beats.length)));

export function Ring({ live, clock, children }) {
  const arc = useRef(null);
  const [shown, show] = useState("");
  useEffect(() => {
    let frame = 0;
    const draw = () => {
      const rest = clock ? left(live, clock) : 0;
      if (arc.current) arc.current.style.strokeDashoffset = String(100 - (clock ? (100 * rest) / clock.total : 0));
      show(clock ? (clock.beats.length ? beat(live, clock) : Math.ceil(rest / 1000)) : "");
      if (clock) frame = requestAnimationFrame(draw);
    };
    draw();
    return () => cancelAnimationFrame(frame);
  }, [live, clock && clock.name, clock && clock.lap, clock && clock.ends]);
  const counting = clock && clock.beats.length > 0;
  return html`<div class="ring ${counting ? "counting" : ""} ${clock ? `clock-${clock.name}` : "still"}">
    <svg viewBox="0 0 100 100" aria-hidden="true"><circle class="track" cx="50" cy="50" r="47"/>
      <circle class="arc" ref=${arc} cx="50" cy="50" r="47" pathLength="100"/></svg>
    <div class="inside">${children}</div>
    ${counting && html`<div class="beats" role="timer">${clock.beats.map((key, i) => html`<span class=${i === shown ? "now" : i < shown ? "past" : ""}>${say(live.state.game, { key })}</span>`)}</div>`}
    ${clock && !counting && clock.name !== "quiet" && html`<div class="seconds" role="timer">${shown}<small>${w("s")}</small></div>`}
  </div>`;
}
