// The live line to the companion: always the newest state, commands that are done once, a line that mends itself.
import { language } from "./text.js";

const SILENT_MS = 8000; // the companion says something every 5 s at least
const ANSWER_MS = 12000;

const random = () => [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, "0")).join("");

export class Live {
  // `changed(live)` is called after every change. `status`: connecting, live, stale, pin, away.
  constructor(page, changed) {
    this.page = page;
    this.changed = changed;
    this.state = null;
    this.status = "connecting";
    this.waiting = new Map(); // commands without an answer
    this.delay = 250;
    this.offset = -Infinity; // the companion's clock minus ours, ms
    addEventListener("online", () => this.connect());
    document.addEventListener("visibilitychange", () => document.hidden || this.connect());
    setInterval(() => this.check(), 1000);
    this.connect();
  }

  now() {
    return performance.now() + this.offset;
  }

  connect() {
    if (this.socket && this.socket.readyState <= 1) return;
    clearTimeout(this.retry);
    const socket = new WebSocket(`ws://${location.host}/ws?page=${this.page}&lang=${language()}`, "table.v1");
    this.socket = socket;
    this.heard = performance.now();
    socket.onmessage = (event) => socket === this.socket && this.hear(JSON.parse(event.data));
    socket.onclose = (event) => socket === this.socket && this.lost(event.code);
  }

  check() {
    if (this.socket.readyState <= 1 && performance.now() - this.heard > SILENT_MS) this.socket.close();
    if (this.socket.readyState === 2 && performance.now() - this.heard > SILENT_MS + 2000) this.lost(0);
  }

  lost(code) {
    this.socket = { readyState: 3, send() {}, close() {} };
    if (code === 4401) this.status = "pin";
    else if (code === 4403) this.status = "away"; // this phone has no seat (any more)
    else {
      this.status = this.state ? "stale" : "connecting";
      this.retry = setTimeout(() => this.connect(), this.delay * (0.7 + 0.6 * Math.random()));
      this.delay = Math.min(2000, this.delay * 2);
    }
    this.changed(this);
  }

  hear(message) {
    this.heard = performance.now();
    if (message.t === "ack") return this.answered(message);
    if (this.status !== "live") {
      this.offset = -Infinity;
      for (const entry of this.waiting.values()) this.socket.send(entry.text);
    }
    // The least delayed message tells the time best.
    this.offset = Math.max(this.offset, message.now - this.heard);
    if (this.state && this.state.epoch !== message.epoch) return location.reload();
    this.state = message;
    this.status = "live";
    this.delay = 250;
    this.changed(this);
  }

  answered(message) {
    const entry = this.waiting.get(message.id);
    if (!entry) return;
    clearTimeout(entry.timer);
    this.waiting.delete(message.id);
    entry.resolve(message);
  }

  // Ask for something to be done; the answer once it is written down, or why not.
  command(what, args) {
    const id = random();
    const rev = this.state ? this.state.rev : 0;
    const text = JSON.stringify({ t: "cmd", id, rev, do: what, args });
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.answered({ id, ok: false, code: "late", text: "" }), ANSWER_MS);
      this.waiting.set(id, { text, resolve, timer });
      if (this.socket.readyState === 1) this.socket.send(text);
    });
  }
}
