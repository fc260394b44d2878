// A finished game played again on the table screen: step by step, at any speed.

const PACE = [1, 4, 16];

export class Replay {
  // Looks like a live line to whoever draws it; `changed(replay)` after every step.
  constructor(id, changed) {
    this.changed = changed;
    this.state = null;
    this.status = "connecting";
    this.at = 0;
    this.pace = 0; // place in PACE
    this.playing = false;
    fetch(`/history/replay/${encodeURIComponent(id)}`).then((answer) => (answer.ok ? answer.json() : Promise.reject(answer.status)))
      .then((told) => { this.told = told; this.status = "live"; this.go(0); })
      .catch(() => { this.status = "stale"; changed(this); });
  }

  now() {
    return 0; // no clock runs in what has been
  }

  get steps() {
    return this.told ? this.told.views.length : 0;
  }

  go(at) {
    this.at = Math.max(0, Math.min(this.steps - 1, at));
    const { game, panel, made_up, views, tales } = this.told;
    const last = this.at === this.steps - 1;
    this.state = {
      rev: this.at, game, view: views[this.at], over: last, made_up, tales: last ? tales : [], captions: [], clocks: [], health: {},
      phones: [], join: null, refusal: null, panel,
    };
    if (last) this.playing = false;
    this.changed(this);
  }

  play(on) {
    clearTimeout(this.timer);
    this.playing = on;
    if (on && this.at === this.steps - 1) this.at = -1;
    if (on) this.timer = setTimeout(() => { this.go(this.at + 1); if (this.playing) this.play(true); }, 1000 / PACE[this.pace]);
    this.changed(this);
  }

  faster() {
    this.pace = (this.pace + 1) % PACE.length;
    this.changed(this);
  }

  get speed() {
    return PACE[this.pace];
  }
}
