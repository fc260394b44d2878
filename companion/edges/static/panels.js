// A game's own picture, loaded when that game is on the table; the server says which games have one.

const loaded = new Map(); // file name: what it exports, once it is here
let coming = 0; // how many are on their way: the page says so, for whoever looks whether it is all there
function on_its_way(change) {
  coming += change;
  document.documentElement.toggleAttribute("data-coming", coming > 0);
}

function style(name) {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = `/static/panels/${name}.css`;
  document.head.append(link);
}

// What a panel file exports, or null while it is on its way; `again()` is called once it is there.
function panel(name, again) {
  if (!loaded.has(name)) {
    loaded.set(name, null);
    on_its_way(1);
    const arrived = (exports) => { loaded.set(name, exports); again(); on_its_way(-1); };
    import(`./panels/${name}.js`).then(arrived, () => { on_its_way(-1); setTimeout(() => loaded.delete(name), 1000); });
  }
  return loaded.get(name);
}

// The `Board` of the game under way for the table screen, or the `Seat` for a player's phone; null: none (yet).
export function board(state, again) {
  return find(state, "board", "Board", again);
}

export function seat(state, again) {
  return find(state, "seat", "Seat", again);
}

// How a game draws its cards' faces: the `Face` of `panels/<game>_cards.js`; null: as all games do (or not yet).
export function pictures(state, again) {
  return find(state, "faces", "Face", again);
}

// What a game asks of the operator before it is opened, beyond plain options: the module `panels/<game>_setup.js`.
export function setup(game, again) {
  if (!loaded.has(`${game}.css`)) {
    loaded.set(`${game}.css`, true);
    style(game);
  }
  const found = panel(`${game}_setup`, again);
  return found && found.Setup;
}

function find(state, kind, wanted, again) {
  const of = state.panel;
  if (!of || !of[kind]) return null;
  if (of.css && !loaded.has(`${of.game}.css`)) {
    loaded.set(`${of.game}.css`, true);
    style(of.game);
  }
  const file = { seat: `${of.game}_seat`, faces: `${of.game}_cards` }[kind];
  const found = panel(file || of.game, again);
  return found && found[wanted];
}
