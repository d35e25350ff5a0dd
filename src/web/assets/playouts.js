// Random games after each move: the distribution behind the mean that a rollout agent compares.

import { ask, el, show, svg } from "./base.js";

const HEIGHT = 110;

export class PlayoutsView {
  constructor(root, tutor) {
    this.tutor = tutor;
    this.charts = el("div", { class: "grid" });
    this.note = el("p", { class: "small soft" });
    root.append(el("h2", { text: "Random games from each move" }), this.note, this.charts);
  }

  async refresh(signal) {
    if (this.tutor.state.status !== "open") {
      this.charts.replaceChildren();
      this.note.textContent = "The game is over: no move is left to try.";
      return;
    }
    if (!this.charts.children.length) this.note.textContent = "Random games are played …";
    const found = await ask("/api/playouts", this.tutor.question, signal);
    const best = Math.max(...found.moves.map((move) => move.mean));
    const most = Math.max(...found.moves.flatMap((move) => move.bins));
    this.note.textContent = `${show(found.runs)} games played at random to the end after each legal move. The line is the mean, ` +
      "which a rollout agent compares; the number behind it is half of the 95 % interval. The grey bar is the middle half of the games. The height of a column is the number of games with such a score.";
    this.charts.replaceChildren(...found.moves.map((move) => this.card(move, found, best, most)));
  }

  card(move, { low, high }, best, most) {
    const WIDTH = innerWidth < 620 ? 330 : 520;
    const span = high - low || 1;
    const x = (score) => ((score - low) / span) * WIDTH;
    const step = WIDTH / move.bins.length;
    const kind = move.mean === best ? "fill best" : "fill";
    const bars = move.bins.map((count, index) => {
      const height = (count / most) * (HEIGHT - 28);
      return svg("rect", { class: kind, x: index * step + 0.5, y: HEIGHT - 18 - height, width: step - 1, height });
    });
    const [first, middle, third] = move.quartiles;
    const half = (move.mean_high - move.mean_low) / 2;
    return el("div", { class: "card" }, el("h3", { text: `${move.move}: mean ${show(move.mean)} ± ${show(half)}${move.mean === best ? " ★" : ""}` }),
      svg("svg", { class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img",
        "aria-label": `${move.move}: mean ${show(move.mean)}, median ${show(middle)}, middle half from ${show(first)} to ${show(third)}` },
      bars, svg("line", { class: "axis", x1: 0, x2: WIDTH, y1: HEIGHT - 18, y2: HEIGHT - 18 }),
      svg("rect", { x: x(first), y: HEIGHT - 20, width: Math.max(x(third) - x(first), 1), height: 4, style: "fill:var(--soft)" }),
      svg("line", { class: "mark", x1: x(move.mean), x2: x(move.mean), y1: 0, y2: HEIGHT - 14, style: "stroke:var(--ink)" }),
      svg("text", { x: 0, y: HEIGHT - 3, text: show(low) }), svg("text", { x: WIDTH / 2, y: HEIGHT - 3, "text-anchor": "middle", text: "final score" }),
      svg("text", { x: WIDTH, y: HEIGHT - 3, "text-anchor": "end", text: show(high) })));
  }
}
