// A result as a picture to be kept or sent: the podium, everybody's points, the best moments.
import { face, has, say, w } from "./text.js";

const SIDE = 1080, EDGE = 70;
const named = (game, who) => (has(game.game, who) ? face(game.game, who) : who.replaceAll("+", " + "));

// Letters as large as fit into a width.
function write(pen, text, x, y, size, width, align = "left", weight = 600) {
  pen.textAlign = align;
  for (let px = size; px > 12; px -= 2) {
    pen.font = `${weight} ${px}px "Noto Sans", "DejaVu Sans", system-ui, sans-serif`;
    if (pen.measureText(text).width <= width) break;
  }
  pen.fillText(text, x, y, width);
}

// A sentence in lines of a width; where the next one begins.
function wrap(pen, text, x, y, size, width) {
  pen.font = `400 ${size}px "Noto Sans", "DejaVu Sans", system-ui, sans-serif`;
  pen.textAlign = "left";
  let line = "";
  for (const word of text.split(" ")) {
    if (line && pen.measureText(`${line} ${word}`).width > width) { pen.fillText(line, x, y); y += size * 1.35; line = ""; }
    line = line ? `${line} ${word}` : word;
  }
  pen.fillText(line, x, y);
  return y + size * 1.5;
}

function podium(pen, game, rows, top) {
  const wide = (SIDE - 2 * EDGE) / 3;
  [rows[1], rows[0], rows[2]].forEach((row, i) => {
    if (!row) return;
    const [who, total] = row, won = game.winners.includes(who), high = won ? 190 : i === 0 ? 130 : 90;
    const x = EDGE + i * wide + wide / 2;
    pen.fillStyle = won ? "#f3c453" : "#36404b";
    pen.fillRect(x - wide / 2 + 8, top + 250 - high, wide - 16, high);
    pen.fillStyle = won ? "#14181c" : "#f2f4f6";
    write(pen, String(total), x, top + 235, 72, wide - 40, "center", 800);
    pen.fillStyle = "#f2f4f6";
    write(pen, named(game, who), x, top + 230 - high, 40, wide - 20, "center");
  });
}

export function draw(game, date) {
  const canvas = Object.assign(document.createElement("canvas"), { width: SIDE, height: SIDE });
  const pen = canvas.getContext("2d");
  const won = (who) => game.winners.includes(who);
  const rows = Object.entries(game.totals).sort((a, b) => won(b[0]) - won(a[0]) || b[1] - a[1]);
  pen.fillStyle = "#111418"; pen.fillRect(0, 0, SIDE, SIDE);
  pen.fillStyle = "#f2f4f6"; write(pen, face(game.game, game.game), EDGE, 120, 72, SIDE - 2 * EDGE, "left", 700);
  pen.fillStyle = "#aeb8c2"; write(pen, date, EDGE, 165, 32, SIDE - 2 * EDGE, "left", 400);
  podium(pen, game, rows, 210);
  const others = rows.slice(3), columns = others.length > 6 ? 3 : 2, wide = (SIDE - 2 * EDGE) / columns, size = others.length > 20 ? 24 : 32;
  others.forEach(([who, total], i) => {
    const x = EDGE + (i % columns) * wide, y = 530 + Math.floor(i / columns) * size * 1.4;
    pen.fillStyle = "#aeb8c2"; write(pen, String(total), x + 55, y, size, 60, "right", 700);
    pen.fillStyle = "#f2f4f6"; write(pen, named(game, who), x + 75, y, size, wide - 90);
  });
  let y = Math.max(620, 560 + Math.ceil(others.length / columns) * size * 1.4);
  pen.fillStyle = "#aeb8c2";
  for (const tale of game.tales.slice(0, 5)) if (y < SIDE - 60) y = wrap(pen, say(game.game, tale), EDGE, y, 30, SIDE - 2 * EDGE);
  if (game.made_up) { pen.fillStyle = "#ff8a66"; write(pen, say("", { key: "made_up" }), EDGE, SIDE - 24, 24, SIDE - 2 * EDGE); }
  return canvas;
}

// Hand the picture to the browser to be saved.
export function keep(game, date) {
  draw(game, date).toBlob((blob) => {
    const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: `${game.game}-${game.id}.png` });
    link.textContent = w("picture");
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }, "image/png");
}
