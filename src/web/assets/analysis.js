// A recorded game as an agent sees it: the value curve, and the moves that lost most.

import { $, ask, attempt, el, say, show, svg } from "./base.js";
import { sketch } from "./board.js";

const [WIDTH, HEIGHT, LEFT] = [900, 240, 64];

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
    this.words.textContent = `Played by ${player}. ${agents[0]} would have played the same in ${share(this.rows)} (${show(same)} moves).${second}`;
    this.moveBox.max = this.rows.length - 1;
    this.drawCurve();
    this.drawWorst();
    this.show(Math.min(this.at, this.rows.length - 1));
  }

  drawCurve() {
    const known = [...this.rows, ...this.others].map((row) => row.value).filter((value) => value !== null);
    const [low, high] = known.length ? [Math.min(...known), Math.max(...known)] : [0, 1];
    const last = Math.max(this.rows.length - 1, 1);
    this.x = (number) => LEFT + (number / last) * (WIDTH - LEFT - 8);
    const y = (value) => HEIGHT - 64 - ((value - low) / (high - low || 1)) * (HEIGHT - 78);
    const line = (rows) => rows.filter((row) => row.value !== null).map((row, index) => `${index ? "L" : "M"}${this.x(row.number).toFixed(1)} ${y(row.value).toFixed(1)}`).join("");
    const most = Math.max(...this.rows.map((row) => row.loss ?? 0), 1e-9);
    const losses = this.rows.filter((row) => row.loss).map((row) =>
      svg("line", { class: "mark", x1: this.x(row.number), x2: this.x(row.number), y1: HEIGHT - 22, y2: HEIGHT - 22 - (30 * row.loss) / most, style: "stroke:var(--bad);stroke-width:1.5" }));
    this.cursor = svg("line", { class: "mark", y1: 6, y2: HEIGHT - 20, style: "stroke:var(--ink);stroke-width:1;stroke-dasharray:3 3" });
    this.chart.setAttribute("aria-label", `Value of the position over ${this.rows.length} moves, from ${show(low)} to ${show(high)}`);
    this.chart.replaceChildren(
      ...[low, (low + high) / 2, high].flatMap((value) => [svg("line", { class: "axis", x1: LEFT, x2: WIDTH - 8, y1: y(value), y2: y(value) }),
        svg("text", { x: LEFT - 8, y: y(value) + 4, "text-anchor": "end", text: show(value) })]),
      svg("path", { class: "line", d: line(this.rows) }), ...(this.others.length ? [svg("path", { class: "line second", d: line(this.others) })] : []),
      ...losses, this.cursor, svg("text", { x: LEFT - 8, y: HEIGHT - 24, "text-anchor": "end", text: "loss" }),
      svg("text", { x: LEFT, y: HEIGHT - 4, text: "move 1" }), svg("text", { x: WIDTH - 8, y: HEIGHT - 4, "text-anchor": "end", text: `move ${this.rows.length}` }),
      svg("text", { x: WIDTH / 2, y: HEIGHT - 4, "text-anchor": "middle", text: this.others.length ? "value of the position; dashed: the second agent" : "value of the position" }));
    this.chart.onclick = (event) => {
      const frame = this.chart.getBoundingClientRect();
      this.show(Math.round((((event.clientX - frame.left) / frame.width) * WIDTH - LEFT) / (WIDTH - LEFT - 8) * last));
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

function share(rows) {
  return `${show((100 * rows.filter((row) => !row.differs).length) / Math.max(rows.length, 1), 1)} % of the moves`;
}

/** A value as the server words it: a number, or `win`. */
const shown = (text) => (Number.isFinite(Number(text)) ? show(Number(text)) : text);
