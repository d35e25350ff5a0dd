// The tutor: a game, an agent that is asked about it, and the views of what the agent does.

import { $, ask, attempt, el, memory, say, show, sleep, tabs } from "./base.js";
import { Board } from "./board.js";
import { AgentForm } from "./forms.js";
import { TreeView } from "./tree.js";
import { GrowthView } from "./growth.js";
import { PlayoutsView } from "./playouts.js";
import { AnalysisView } from "./analysis.js";

const ARROWS = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };

/** The names of the cells in which moves of two-player games are made. */
const cellName = {
  "tic-tac-toe": (row, column) => `${"abc"[column]}${row + 1}`,
  "connect-four": (row, column) => `${column + 1}`,
};

class Tutor {
  constructor(catalog) {
    this.catalog = catalog;
    this.board = new Board($("board"), {
      name: (row, column) => cellName[this.state.game]?.(row, column) ?? "",
      choose: (action) => this.move(action),
    });
    this.form = new AgentForm($("agent"), catalog, "agent", "expectimax:depth=3", () => this.agentChanged());
    this.views = {
      "tab-tree": new TreeView($("tree"), this), "tab-growth": new GrowthView($("growth"), this),
      "tab-playouts": new PlayoutsView($("playouts"), this), "tab-analysis": new AnalysisView($("analysis"), this),
    };
    $("game").append(...catalog.games.map((game) => el("option", { value: game.name, text: game.name })));
    this.show = tabs(document.querySelector("[role=tablist]"), (id) => this.openTab(id));
    this.bind();
  }

  get question() {
    const { game, goal, asked, seed, moves } = this.state;
    return { game, goal: goal ?? undefined, board: asked.board, score: asked.score, agent: this.form.text(), seed: seed + moves };
  }

  get opponent() { return this.state.adversarial && this.state.status === "waiting"; }

  /** Begins a game: new, from a board or from a record. */
  async open(opening) {
    const state = await ask("/api/games", opening);
    this.stop();
    this.board.shown = "";
    if (!this.state || this.state.game !== state.game) this.form.setGame(state.game);
    await this.take(state);
  }

  async deed(deed) {
    return this.take(await ask(`/api/games/${this.state.id}`, deed));
  }

  /** Shows a new state, and asks the agent about it. */
  async take(state) {
    [this.state, this.thought] = [state, null];
    this.drawFigures();
    this.hintShown(null);
    const drawn = this.board.draw(state);
    memory.set("game", JSON.stringify({ id: state.id, board: state.board }));
    if (this.opponent) {
      await drawn;
      const thought = await ask("/api/values", this.question);
      return this.deed({ do: "reply", action: thought.choice });
    }
    await Promise.all([drawn, this.refresh()]);
  }

  drawFigures() {
    const { state } = this;
    $("game").value = state.game;
    $("goal-label").hidden = !state.goal;
    if (state.goal) $("goal").value = state.goal;
    $("score").textContent = show(state.score);
    $("moves").textContent = show(state.moves);
    $("tile").textContent = show(state.maxTile);
    for (const box of ["tile-box", "score-box"]) $(box).hidden = state.adversarial;
    $("keys-2048").hidden = state.adversarial;
    $("keys-two").hidden = !state.adversarial;
    $("seed").textContent = state.seed;
    $("pad").hidden = state.adversarial;
    $("undo").disabled = state.moves === 0;
    for (const button of $("pad").children) button.disabled = !state.legal.includes(button.dataset.move);
    $("last").textContent = state.last ? `Last: ${state.last}` : "";
    const over = state.status === "over";
    const words = { win: state.adversarial ? "You have won." : "The goal is reached.", draw: "A draw.",
      loss: state.adversarial ? "The agent has won." : "No move is left." };
    const goOn = over && state.outcome === "win" && state.goal && state.goal !== "none";
    $("banner").hidden = !over;
    $("banner").replaceChildren(over ? `${words[state.outcome]} ${state.adversarial ? "" : `Score ${show(state.score)}. `}` : "",
      goOn ? el("button", { type: "button", text: "Play on", onclick: () => attempt(() => this.deed({ do: "play-on" })) }) : "");
    $("notation").textContent = `For example ${this.catalog.games.find((game) => game.name === state.game).notation}`;
  }

  /** Asks for the value of each move, and redraws the view that is open. */
  async refresh() {
    this.asking?.abort();
    this.asking = new AbortController();
    const signal = this.asking.signal;
    const view = this.views[this.tab];
    if (this.state.status !== "open") {
      this.drawValues(null, "No move is legal here.");
      return view?.refresh(signal);
    }
    try {
      const [thought] = await Promise.all([ask("/api/values", this.question, signal), view?.refresh(signal)]);
      this.drawValues(thought);
      return thought;
    } catch (error) {
      if (error.name !== "AbortError") this.drawValues(null, error.message);
      throw error;
    }
  }

  /** Shows the value of each move, or else why there is none. */
  drawValues(thought, why) {
    this.thought = thought;
    if (!thought) {
      $("bars").replaceChildren(el("p", { class: "soft", text: why }));
      $("thought").textContent = "";
      return;
    }
    const finite = thought.moves.map((move) => move.value).filter((value) => value !== null);
    const [low, high] = [Math.min(...finite), Math.max(...finite)];
    $("bars").replaceChildren(...thought.moves.flatMap((move) => {
      const best = move.move === thought.choice;
      const share = move.value === null ? 0 : high > low ? 6 + (94 * (move.value - low)) / (high - low) : 100;
      const bar = el("i", {});
      bar.style.width = `${share}%`;
      const spread = move.runs > 1 ? ` ± ${show((1.96 * move.sd) / Math.sqrt(move.runs))}` : "";
      const text = Number.isFinite(Number(move.shown)) ? show(Number(move.shown)) : move.shown;
      return [el("span", { class: "name", text: best ? `${move.move} ★` : move.move }),
        el("span", { class: best ? "bar best" : "bar", "aria-hidden": "true" }, bar),
        el("span", { class: "value", text: `${text}${spread}` })];
    }));
    const depth = thought.depth ? `${thought.depth} ${thought.depth === 1 ? "ply" : "plies"}, ` : "";
    $("thought").textContent = `${this.form.text()}: ${depth}${show(thought.nodes)} ${thought.unit}, ` +
      `${show(thought.milliseconds)} ms. ★ is the move that the agent takes. Bars run from the worst to the best move.`;
  }

  move(action) {
    if (!this.state.legal.includes(action) || this.opponent || this.moving) return;
    this.moving = true;
    return attempt(async () => {
      // The next move is taken as soon as the board is known, before the agent has decided.
      const answer = ask(`/api/games/${this.state.id}`, { do: "move", action });
      return this.take(await answer.finally(() => (this.moving = false)));
    });
  }

  hintShown(action) {
    document.querySelectorAll(".hinted").forEach((element) => element.classList.remove("hinted"));
    if (action) document.querySelectorAll(`[data-move="${CSS.escape(action)}"]`).forEach((e) => e.classList.add("hinted"));
  }

  async hint() {
    if (this.state.status !== "open") return;
    const thought = this.thought || (await this.refresh());
    this.hintShown(thought.choice);
    say(`The agent would play ${thought.choice}.`);
  }

  stop() {
    this.playing = false;
    $("auto").setAttribute("aria-pressed", "false");
  }

  async auto() {
    if (this.playing) return this.stop();
    this.playing = true;
    $("auto").setAttribute("aria-pressed", "true");
    try {
      while (this.playing && this.state.status === "open") {
        const began = performance.now();
        const thought = this.thought || (await this.refresh());
        if (!thought || !this.playing) break;
        await this.deed({ do: "move", action: thought.choice });
        const speed = Number($("speed").value);
        if (speed) await sleep(Math.max(0, 1000 / speed - (performance.now() - began)));
      }
    } finally {
      this.stop();
    }
  }

  agentChanged() { this.thought = null; attempt(() => this.refresh()); }

  openTab(id) {
    this.tab = id;
    if (this.state) attempt(() => this.views[id]?.refresh(this.asking?.signal));
  }

  fresh() {
    const seed = Math.floor(Math.random() * 1e6);
    const game = $("game").value;
    const goal = this.catalog.games.find((known) => known.name === game).goal ? $("goal").value : undefined;
    return this.open({ game, goal, seed });
  }

  async save() {
    const text = await ask(`/api/games/${this.state.id}/record`);
    const link = el("a", { href: URL.createObjectURL(new Blob([text], { type: "text/plain" })), download: `${this.state.game}-${this.state.seed}.txt` });
    link.click();
    URL.revokeObjectURL(link.href);
  }

  bind() {
    const on = (id, event, action) => $(id).addEventListener(event, () => attempt(action));
    on("new", "click", () => this.fresh());
    on("game", "change", () => this.fresh());
    on("goal", "change", () => this.fresh());
    on("undo", "click", () => this.deed({ do: "undo" }));
    on("hint", "click", () => this.hint());
    on("auto", "click", () => this.auto());
    on("save", "click", () => this.save());
    on("board-copy", "click", () => ($("board-text").value = this.state.board));
    on("board-go", "click", () => this.open({ game: this.state.game, goal: this.state.goal ?? undefined,
      seed: this.state.seed, board: $("board-text").value.trim() }));
    $("load").addEventListener("change", (event) => attempt(async () => {
      const [file] = event.target.files;
      if (file) await this.open({ record: await file.text() });
      event.target.value = "";
    }));
    for (const button of $("pad").children) button.addEventListener("click", () => this.move(button.dataset.move));
    document.addEventListener("keydown", (event) => this.key(event));
    this.bindSwipes();
  }

  key(event) {
    const typing = event.target.closest?.("input, select, textarea, [role=tab], .drawing");
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const deeds = { h: () => this.hint(), p: () => this.auto(), n: () => this.fresh(),
      u: () => this.state.moves && this.deed({ do: "undo" }) };
    if (ARROWS[event.key] && !this.state.adversarial) {
      event.preventDefault();
      this.move(ARROWS[event.key]);
    } else if (deeds[event.key]) {
      attempt(deeds[event.key]);
    }
  }

  bindSwipes() {
    let start = null;
    $("board").addEventListener("pointerdown", (event) => (start = [event.clientX, event.clientY]));
    addEventListener("pointerup", (event) => {
      if (!start) return;
      const [x, y] = [event.clientX - start[0], event.clientY - start[1]];
      start = null;
      if (Math.max(Math.abs(x), Math.abs(y)) < 24 || this.state.adversarial) return;
      this.move(Math.abs(x) > Math.abs(y) ? (x > 0 ? "right" : "left") : y > 0 ? "down" : "up");
    });
  }

  /** The game of the last visit if the server still has it, else a new one. */
  async begin() {
    this.show("tab-values");
    try {
      const { id, board } = JSON.parse(memory.get("game") || "{}");
      const state = id && (await ask(`/api/games/${id}`));
      // After a restart of the server, the same number may belong to another game.
      if (state && (!board || board === state.board)) {
        this.form.setGame(state.game);
        return await this.take(state);
      }
    } catch { /* The server was restarted, so the game does not exist any more. */ }
    return this.fresh();
  }
}

attempt(async () => {
  const tutor = new Tutor(await ask("/api/catalog"));
  await tutor.begin();
  document.body.dataset.ready = "true";
});
