// How a Monte Carlo search tree grows: visits, mean and upper confidence bound of each move, iteration by iteration.

import { ask, attempt, el, show, svg } from "./base.js";
import { Stepper } from "./drawing.js";

// Drawn at the size at which it is shown, so that its text stays legible on a phone.
const [WIDTH, HEIGHT, LEFT] = [innerWidth < 620 ? 340 : 900, 220, 46];
const COLOURS = ["var(--max)", "var(--accent)", "var(--good)", "var(--chance)", "var(--min)", "var(--soft)", "#8a8a3c", "#3c8a8a", "#8a3c6a"];

/** A value as the server words it, with no more digits than the table above has. */
const short = (text) => (Number.isFinite(Number(text)) ? show(Number(text)) : text);

export class GrowthView {
  constructor(root, tutor) {
    this.tutor = tutor;
    this.note = el("p", { class: "small soft" });
    this.sentence = el("p", { class: "sentence", "aria-live": "polite" });
    this.stepper = new Stepper("Iterations", (step) => this.step(step));
    this.table = el("div", { class: "scroll" });
    this.chart = svg("svg", { class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img" });
    this.tree = el("div", { class: "card grown" });
    this.closed = new Set();
    this.content = el("div", { hidden: true }, this.sentence, this.stepper.element, el("div", { class: "card" }, this.table), this.tree,
      el("div", { class: "card" }, el("h3", { text: "Share of the visits" }), el("div", { class: "scroll" }, this.chart)));
    this.offer = el("p", { hidden: true }, "The agent above does not grow a tree by sampling. ",
      el("button", { type: "button", text: "Take mcts", onclick: () => { tutor.form.set("mcts:iterations=300,batch=1"); tutor.agentChanged(); } }));
    root.append(el("h2", { text: "Monte Carlo tree search grows" }), this.note, this.offer, this.content);
  }

  async refresh(signal) {
    if (this.tutor.state.status !== "open") {
      this.offer.hidden = this.content.hidden = true;
      this.note.textContent = "The game is over: there is nothing to search.";
      return;
    }
    const isTree = this.tutor.form.agent.parameters.some((parameter) => parameter.name === "iterations");
    this.offer.hidden = isTree;
    this.content.hidden = !isTree;
    this.note.textContent = "Each iteration walks down to a move that promises most: a good mean, or few visits so far. UCB is the mean plus a bonus for few visits. " +
      "An iteration here is one walk. It values all moves of a new position at once, and the agent's parameter `iterations` counts these values, so there are fewer walks. With `batch=1` every walk is a step of its own.";
    if (!isTree) return;
    if (!this.growth) this.sentence.textContent = "The search runs …";
    this.growth = await ask("/api/growth", this.tutor.question, signal);
    this.drawChart();
    this.stepper.reset(this.growth.snapshots.length);
  }

  step(index) {
    if (!this.growth) return;
    const { moves, snapshots } = this.growth;
    const now = snapshots[index];
    const total = now.children.reduce((sum, child) => sum + child.visits, 0) || 1;
    const next = now.children.reduce((best, child, at) => (child.bound > now.children[best].bound ? at : best), 0);
    const before = snapshots[index - 1];
    const tried = before && moves.filter((_, at) => now.children[at].visits > before.children[at].visits);
    this.sentence.textContent = `After ${show(now.iterations)} ${now.iterations === 1 ? "iteration" : "iterations"}: ` +
      (tried?.length === 1 ? `${tried[0]} was tried last. ` : "") +
      `${moves[next]} has the largest UCB now. Stopped here, the search would play ${moves[now.choice]}.`;
    const rows = now.children.map((child, at) => {
      const bar = svg("svg", { viewBox: "0 0 100 10", width: 130, height: 14, preserveAspectRatio: "none", "aria-hidden": "true" },
        svg("rect", { width: (100 * child.visits) / total, height: 10, style: `fill:${COLOURS[at % COLOURS.length]}` }));
      return el("tr", { class: at === next ? "current" : null }, el("td", { text: `${moves[at]}${at === now.choice ? " ★" : ""}` }), el("td", {}, bar),
        el("td", { text: show(child.visits) }), el("td", { text: child.visits ? show(child.mean) : "" }),
        el("td", { text: show(child.bound) }));
    });
    this.table.replaceChildren(el("table", {}, el("thead", {}, el("tr", {}, ["move", "", "visits", "mean", "UCB"].map((text) => el("th", { scope: "col", text })))),
      el("tbody", {}, rows)));
    this.drawTree(now);
    this.cursor?.setAttribute("x1", this.x(now.iterations));
    this.cursor?.setAttribute("x2", this.x(now.iterations));
  }

  /** The most visited nodes as nested lists. What the user closes stays closed from step to step. */
  drawTree({ nodes }) {
    const children = nodes.map(() => []);
    nodes.forEach((node, id) => node.parent !== null && children[node.parent].push(id));
    children.forEach((ids) => ids.sort((a, b) => (nodes[b].visits ?? 0) - (nodes[a].visits ?? 0)));
    const most = Math.max(...nodes.slice(1).map((node) => node.visits ?? 0), 1);
    const item = (id, path) => {
      const node = nodes[id];
      const key = `${path}/${node.label}`;
      const bound = node.bound === null ? "" : ` · ${node.kind === "max" ? "LCB" : "UCB"} ${short(node.bound)}`;
      const facts = node.remark ?? `${show(node.visits)} ${node.visits === 1 ? "visit" : "visits"} · mean ${short(node.mean)}${bound}`;
      const line = [el("b", { text: node.label }), el("meter", { min: 0, max: most, value: node.visits ?? 0, "aria-hidden": "true" }), el("span", { class: "soft", text: facts })];
      const more = node.omitted ? [el("li", { class: "small soft", text: `and ${show(node.omitted)} more` })] : [];
      if (!children[id].length) return el("li", {}, line);
      const list = el("ul", {}, children[id].map((child) => item(child, key)), more);
      return el("li", {}, el("details", { open: !this.closed.has(key), ontoggle: (event) => this.closed[event.target.open ? "delete" : "add"](key) }, el("summary", {}, line), list));
    };
    this.tree.replaceChildren(el("h3", { text: "The tree so far: moves, the replies to them, and the moves after these" }),
      el("ul", { class: "tree" }, children[0].map((id) => item(id, ""))));
  }

  drawChart() {
    const { moves, snapshots } = this.growth;
    const most = Math.max(snapshots[snapshots.length - 1]?.iterations ?? 1, 2);
    // Early iterations matter as much as late ones, so the axis is logarithmic.
    this.x = (iterations) => LEFT + (Math.log(iterations) / Math.log(most)) * (WIDTH - LEFT - 90);
    const y = (share) => HEIGHT - 28 - share * (HEIGHT - 40);
    const shares = (snapshot) => {
      const total = snapshot.children.reduce((sum, child) => sum + child.visits, 0) || 1;
      return snapshot.children.map((child) => child.visits / total);
    };
    const lines = moves.map((_, at) => svg("path", { class: "line", style: `stroke:${COLOURS[at % COLOURS.length]}`,
      d: snapshots.map((snapshot, index) => `${index ? "L" : "M"}${this.x(snapshot.iterations).toFixed(1)} ${y(shares(snapshot)[at]).toFixed(1)}`).join("") }));
    const ends = shares(snapshots[snapshots.length - 1]).map((share, at) => ({ at, y: y(share) })).sort((a, b) => a.y - b.y);
    // Names that would overlap are moved apart.
    ends.forEach((end, index) => { if (index) end.y = Math.max(end.y, ends[index - 1].y + 13); });
    this.cursor = svg("line", { class: "mark", y1: 6, y2: HEIGHT - 28, style: "stroke:var(--ink);stroke-width:1;stroke-dasharray:3 3" });
    this.chart.setAttribute("aria-label", `Share of the visits of ${moves.join(", ")} over ${most} iterations`);
    this.chart.replaceChildren(...[0, 0.5, 1].flatMap((share) => [svg("line", { class: "axis", x1: LEFT, x2: WIDTH - 90, y1: y(share), y2: y(share) }),
      svg("text", { x: LEFT - 8, y: y(share) + 4, "text-anchor": "end", text: `${100 * share} %` })]), ...lines, this.cursor,
    ...ends.map((end) => svg("text", { x: WIDTH - 82, y: end.y + 4, text: moves[end.at], style: `fill:${COLOURS[end.at % COLOURS.length]};font-weight:600` })),
    svg("text", { x: LEFT, y: HEIGHT - 8, text: "1" }), svg("text", { x: WIDTH - 90, y: HEIGHT - 8, "text-anchor": "end", text: show(most) }),
    svg("text", { x: (LEFT + WIDTH - 90) / 2, y: HEIGHT - 8, "text-anchor": "middle", text: "iterations" }));
  }
}
