// Boards of all games, large ones to play on and small ones for drawings.

import { el, svg } from "./base.js";

const COLOURS = {
  2: "#eee4da", 4: "#ede0c8", 8: "#f2b179", 16: "#f59563", 32: "#f67c5f", 64: "#c9381a", 128: "#edcf72", 256: "#edcc61",
  512: "#edc850", 1024: "#edc53f", 2048: "#edc22e", 4096: "#4a7a4c", 8192: "#3f7d6b", 16384: "#2f6690", 32768: "#3a3a6a",
  X: "#0b5a8f", O: "#a3470c",
};
const DARK_TEXT = new Set(["2", "4", "8", "16", "32", "128", "256", "512", "1024", "2048"]);

export const colour = (cell) => COLOURS[cell] || "#3c3a32";
export const ink = (cell) => (DARK_TEXT.has(cell) ? "#3d362e" : "#ffffff");

/** Rows of cells; empty cells are empty texts. */
export function rows(board) {
  const cell = (text) => (text === "0" || text === "." ? "" : text);
  return board.split("/").map((row) => (row.includes(",") ? row.split(",") : [...row]).map(cell));
}

/** A board in words, for screen readers. */
export const spoken = (board) =>
  rows(board).map((row, index) => `row ${index + 1}: ${row.map((cell) => cell || "empty").join(", ")}`).join("; ");

const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** A board to play on. `onCell(row, column)` is called for games whose cells are chosen. */
export class Board {
  constructor(element, onCell) {
    this.element = element;
    this.onCell = onCell;
    this.shown = "";
  }

  place(row, column) {
    const { gap, width, height } = this.size;
    return { left: gap + column * (width + gap), top: gap + row * (height + gap), width, height };
  }

  style(element, row, column) {
    const { left, top, width, height } = this.place(row, column);
    Object.assign(element.style, { left: `${left}%`, top: `${top}%`, width: `${width}%`, height: `${height}%` });
    return element;
  }

  /** Shows a state of a game, with its slides if a move of 2048 led to it. */
  async draw(state) {
    const cells = rows(state.board);
    const [tall, wide] = [cells.length, cells[0].length];
    const gap = 2.4;
    this.element.style.aspectRatio = `${wide} / ${tall}`;
    // Percentages of a box count along its own side, so the gap differs between the sides unless the board is square.
    this.size = { gap, width: (100 - gap * (wide + 1)) / wide, height: (100 - gap * (tall + 1)) / tall };
    this.element.setAttribute("aria-label", `${state.game}: ${spoken(state.board)}`);
    if (state.adversarial) return this.drawCells(cells, state);
    const before = this.shown && rows(this.shown).flat();
    this.shown = state.board;
    const turn = (this.turn = {});
    if (state.slides && before && !still()) {
      this.slide(before, state.slides, wide);
      await new Promise((done) => setTimeout(done, 110));
      if (this.turn !== turn) return;
    }
    this.settle(cells, before, state.slides || []);
  }

  ground(cells) {
    return cells.flatMap((row, r) => row.map((_, c) => this.style(el("div", { class: "cell" }), r, c)));
  }

  tile(text, row, column, kind = "") {
    const tile = this.style(el("div", { class: `tile ${kind}`, text }), row, column);
    const size = { 1: 13, 2: 12, 3: 9.5, 4: 7.5 }[text.length] || 6;
    Object.assign(tile.style, { background: colour(text), color: ink(text), fontSize: `${size}cqw` });
    return tile;
  }

  slide(before, slides, wide) {
    const tiles = slides.map(([from, to]) => {
      const [row, column] = [Math.floor(from / wide), from % wide];
      const tile = this.tile(before[from], row, column);
      const [down, right] = [Math.floor(to / wide) - row, (to % wide) - column];
      const step = 100 * (1 + this.size.gap / this.size.width);
      return [tile, `translate(${right * step}%, ${down * step}%)`];
    });
    this.element.replaceChildren(...this.ground(rows(this.shown)), ...tiles.map(([tile]) => tile));
    this.element.getBoundingClientRect();
    for (const [tile, transform] of tiles) tile.style.transform = transform;
  }

  settle(cells, before, slides) {
    const arrivals = new Map();
    for (const [, to] of slides) arrivals.set(to, (arrivals.get(to) || 0) + 1);
    const kind = (index) => {
      if (!slides.length) return "";
      const count = arrivals.get(index) || 0;
      return count === 2 ? "merged" : count === 0 ? "new" : "";
    };
    const tiles = cells.flatMap((row, r) =>
      row.map((text, c) => (text ? this.tile(text, r, c, kind(r * row.length + c)) : null)));
    this.element.replaceChildren(...this.ground(cells), ...tiles.filter(Boolean));
  }

  drawCells(cells, state) {
    this.shown = state.board;
    const focused = [...this.element.children].indexOf(document.activeElement);
    // While the agent moves no cell can have the focus, so it is given back afterwards.
    this.focused = focused >= 0 ? focused : document.activeElement === document.body ? this.focused : undefined;
    const buttons = cells.flatMap((row, r) => row.map((text, c) => {
      const action = this.onCell.name(r, c, cells.length);
      const legal = state.legal.includes(action);
      const button = el("button", {
        class: "cell", type: "button", text, disabled: !legal, "data-move": action,
        // In connect four a move is a column, and its highest cell stands for it.
        tabindex: r > 0 && action === this.onCell.name(0, c, cells.length) ? -1 : null,
        "aria-label": `${action}, row ${r + 1}: ${text || "empty"}`, onclick: () => this.onCell.choose(action),
      });
      button.style.fontSize = `${45 / row.length}cqw`;
      if (text) Object.assign(button.style, { color: "#fff", background: colour(text), borderRadius: cells.length > 3 ? "50%" : "" });
      return this.style(button, r, c);
    }));
    this.element.replaceChildren(...buttons);
    if (this.focused === undefined) return;
    const same = buttons[this.focused];
    (same && !same.disabled ? same : buttons.find((button) => !button.disabled))?.focus();
  }
}

/** A small board as an SVG group of this width. */
export function sketch(board, width) {
  const cells = rows(board);
  const side = width / cells[0].length;
  const group = svg("g", {});
  cells.forEach((row, r) => row.forEach((text, c) => {
    const [x, y] = [c * side, r * side];
    const fill = text ? colour(text) : "var(--cell)";
    group.append(svg("rect", { x, y, width: side - 1, height: side - 1, rx: 2, style: `fill:${fill};stroke:none` }));
    if (!text) return;
    const size = side * [0, 0.62, 0.52, 0.4, 0.33, 0.27][text.length];
    group.append(svg("text", {
      x: x + side / 2 - 0.5, y: y + side / 2 + size * 0.36, "text-anchor": "middle", text,
      style: `font-size:${size}px;font-weight:700;fill:${ink(text)}`,
    }));
  }));
  return { group, height: side * cells.length };
}
