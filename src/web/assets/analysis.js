// A recorded game as an agent sees it: the value curve, and the moves that lost most.

import { $, ask, attempt, el, say, show, svg } from "./base.js";
import { sketch } from "./board.js";

// Drawn at the size at which it is shown, so that its text stays legible on a phone.
const [WIDTH, HEIGHT, LEFT, RIGHT] = innerWidth < 620 ? [340, 240, 62, 62] : [900, 240, 78, 78];

export class AnalysisView {
  constructor(root, tutor) {
    this.tutor = tutor;
    this.rows = [];
    this.second = el("input", { placeholder: "none, or for example rollout:runs=100", spellcheck: "false" });
    this.progress = el("progress", { max: 1, value: 0, hidden: true, "aria-label": "Moves analysed" });
    this.words = el("p", { class: "small soft", "aria-live": "polite" });
    this.chart = svg("svg", { class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img" });
    this.place = el("div", { class: "row", style: "align-items:flex-start;gap:1.2rem" });
    this.worst = el("div", { class: "scroll" });
    this.start = el("button", { type: "button", class: "primary", text: "Analyse this game", onclick: () => attempt(() => this.analyse()) });
    const file = el("input", { type: "file", accept: ".txt,.game,text/plain", class: "unseen", onchange: (event) => attempt(async () => {
      const [chosen] = event.target.files;
      if (chosen) await this.analyse(await chosen.text());
      event.target.value = "";
    }) });
    this.moveBox = el("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "Move", oninput: () => this.show(Number(this.moveBox.value)) });
    root.append(el("h2", { text: "Analysis of a game" }),
      el("p", { class: "small soft", text: "The agent chosen above looks at every position. The loss of a move is the value of its best move less the value of the move that was made." }),
      el("div", { class: "row ends" }, this.start, el("label", { class: "button" }, "Analyse a record", file),
        el("label", {}, "Second agent, to compare", this.second)), this.progress, this.words,
      this.result = el("div", { hidden: true }, el("div", { class: "card" }, el("div", { class: "scroll" }, this.chart),
        el("div", { class: "stepper" }, el("button", { type: "button", text: "Worst move", onclick: () => this.jump() }),
          el("button", { type: "button", text: "◀", "aria-label": "One move back", onclick: () => this.show(this.at - 1) }),
          el("button", { type: "button", text: "▶", "aria-label": "One move on", onclick: () => this.show(this.at + 1) }), this.moveBox)),
      el("div", { class: "card" }, this.place), el("div", { class: "card" }, el("h3", { text: "The moves that lost most" }), this.worst)));
  }

  async refresh() { this.start.disabled = !this.tutor.state.moves; }

  /** Analyses a record, by default that of the game on the board. */
  async analyse(record) {
    const turn = (this.turn = {});
    const text = record ?? (await ask(`/api/games/${this.tutor.state.id}/record`));
    const agents = [this.tutor.form.text(), this.second.value.trim()].filter(Boolean);
    this.rows = [];
    this.others = [];
    this.at = 0;
    this.progress.hidden = false;
    this.progress.value = 0;
    for (const [index, agent] of agents.entries()) {
      const rows = index ? this.others : this.rows;
      let [next, moves] = [0, 1];
      while (next < moves) {
        const part = await ask("/api/analysis", { record: text, agent, from: next });
        if (this.turn !== turn) return;
        if (part.next === next && part.moves > next) throw new Error("The analysis makes no progress.");
        ({ next, moves } = part);
        rows.push(...part.rows);
        this.progress.value = (index + next / Math.max(moves, 1)) / agents.length;
        this.draw(agents, part.player);
      }
    }
    this.progress.hidden = true;
    this.jump();
    say("The analysis is done.");
  }

  draw(agents, player) {
    this.result.hidden = this.rows.length === 0;
    if (!this.rows.length) return;
    const same = this.rows.filter((row) => !row.differs).length;
    const second = this.others.length ? ` ${agents[1]} would have played as the game went in ${share(this.others)}.` : "";
    this.words.textContent = `Played by ${player}. ${agents[0]} would have played the same in ${share(this.rows)} (${show(same)} ${same === 1 ? "move" : "moves"}).${second}`;
    this.moveBox.max = this.rows.length - 1;
    this.drawCurve();
    this.drawWorst();
    this.show(Math.min(this.at, this.rows.length - 1));
  }

  drawCurve() {
    const last = Math.max(this.rows.length - 1, 1);
    this.x = (number) => LEFT + (number / last) * (WIDTH - LEFT - RIGHT);
    // Two agents may value positions in different units, so each has an axis of its own.
    const first = curve(this.rows, this.x);
    const second = this.others.length ? curve(this.others, this.x) : null;
    const most = Math.max(...this.rows.map((row) => row.loss ?? 0), 1e-9);
    const losses = this.rows.filter((row) => row.loss).map((row) =>
      svg("line", { class: "mark", x1: this.x(row.number), x2: this.x(row.number), y1: HEIGHT - 22, y2: HEIGHT - 22 - (30 * row.loss) / most, style: "stroke:var(--bad);stroke-width:1.5" }));
    this.cursor = svg("line", { class: "mark", y1: 6, y2: HEIGHT - 20, style: "stroke:var(--ink);stroke-width:1;stroke-dasharray:3 3" });
    this.chart.setAttribute("aria-label", `Value of the position over ${this.rows.length} moves, from ${show(first.low)} to ${show(first.high)}`);
    const labels = ({ values, y }, x, anchor, kind) => values.map((value) => svg("text", { x, y: y(value) + 4, "text-anchor": anchor, text: show(value), style: `fill:var(--${kind})` }));
    this.chart.replaceChildren(
      ...first.values.map((value) => svg("line", { class: "axis", x1: LEFT, x2: WIDTH - RIGHT, y1: first.y(value), y2: first.y(value) })),
      ...labels(first, LEFT - 8, "end", "max"), ...(second ? labels(second, WIDTH - RIGHT + 8, "start", "accent") : []),
      svg("path", { class: "line", d: first.path }), ...(second ? [svg("path", { class: "line second", d: second.path })] : []),
      ...losses, this.cursor, svg("text", { x: LEFT - 8, y: HEIGHT - 24, "text-anchor": "end", text: "loss" }),
      svg("text", { x: LEFT, y: HEIGHT - 4, text: "move 1" }), svg("text", { x: WIDTH - RIGHT, y: HEIGHT - 4, "text-anchor": "end", text: `move ${this.rows.length}` }),
      svg("text", { x: WIDTH / 2, y: HEIGHT - 4, "text-anchor": "middle", text: second && WIDTH > 400 ? "value of the position; dashed, with the axis on the right: the second agent" : "value" }));
    this.chart.onclick = (event) => {
      const frame = this.chart.getBoundingClientRect();
      this.show(Math.round((((event.clientX - frame.left) / frame.width) * WIDTH - LEFT) / (WIDTH - LEFT - RIGHT) * last));
    };
  }

  drawWorst() {
    const worst = this.rows.filter((row) => row.differs).sort((a, b) => (b.loss ?? Infinity) - (a.loss ?? Infinity)).slice(0, 12);
    this.worst.replaceChildren(worst.length ? el("table", {}, el("thead", {}, el("tr", {},
      ["move", "played", "better", "loss", ""].map((text) => el("th", { scope: "col", text })))),
    el("tbody", {}, worst.map((row) => el("tr", {}, el("td", { text: String(row.number + 1) }), el("td", { text: row.played }), el("td", { text: row.best }),
      el("td", { text: row.loss === null ? "the game" : show(row.loss) }), el("td", {}, el("button", { type: "button", text: "Show", onclick: () => this.show(row.number) }))))))
      : el("p", { class: "soft", text: "The agent would have made every move of this game." }));
  }

  jump() {
    const worst = this.rows.reduce((best, row) => ((row.loss ?? 0) > (best?.loss ?? 0) ? row : best), this.rows[0]);
    if (worst) this.show(worst.number);
  }

  /** Shows one position: what was played, and what would have been better. */
  show(number) {
    this.at = Math.min(Math.max(number, 0), this.rows.length - 1);
    const row = this.rows[this.at];
    if (!row) return;
    this.moveBox.value = this.at;
    this.cursor?.setAttribute("x1", this.x(this.at));
    this.cursor?.setAttribute("x2", this.x(this.at));
    const other = this.others[this.at];
    const board = sketch(row.board, 190);
    const judgement = !row.differs ? `${row.played} was played, as good as the agent's own choice (${shown(row.valueBest)}).`
      : `${row.played} was played (${shown(row.valuePlayed)}). The agent would play ${row.best} (${shown(row.valueBest)}), so the move lost ${row.loss === null ? "the game" : show(row.loss)}.`;
    this.place.replaceChildren(svg("svg", { width: 190, height: board.height, viewBox: `0 0 190 ${board.height}`, role: "img", "aria-label": row.board }, board.group),
      el("div", { style: "flex:1;min-width:14rem" }, el("h3", { text: `Move ${this.at + 1}, score ${show(row.score)}` }), el("p", { text: judgement }),
        other ? el("p", { text: `The second agent would play ${other.best} here (${shown(other.valueBest)}).` }) : null,
        el("button", { type: "button", text: "Play on from here", onclick: () => attempt(() => this.tutor.open({
          game: this.tutor.state.game, goal: this.tutor.state.goal ?? undefined, seed: this.tutor.state.seed, board: row.board })) })));
  }
}

/** The values of an agent as a line between its lowest and its highest value. */
function curve(rows, x) {
  const known = rows.filter((row) => row.value !== null);
  const values = known.map((row) => row.value);
  const [low, high] = values.length ? [Math.min(...values), Math.max(...values)] : [0, 1];
  const y = (value) => HEIGHT - 64 - ((value - low) / (high - low || 1)) * (HEIGHT - 78);
  const path = known.map((row, index) => `${index ? "L" : "M"}${x(row.number).toFixed(1)} ${y(row.value).toFixed(1)}`).join("");
  return { low, high, y, path, values: low < high ? [low, (low + high) / 2, high] : [low] };
}

function share(rows) {
  return `${show((100 * rows.filter((row) => !row.differs).length) / Math.max(rows.length, 1), 1)} % of the moves`;
}

/** A value as the server words it: a number, or `win`. */
const shown = (text) => (Number.isFinite(Number(text)) ? show(Number(text)) : text);
