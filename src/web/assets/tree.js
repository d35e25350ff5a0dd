// The search tree: the whole tree to explore, or step by step in the order of the search.

import { ask, el, show, svg } from "./base.js";
import { sketch } from "./board.js";
import { arrange, Drawing, Stepper } from "./drawing.js";

const [BOX, GAP, LEVEL_GAP, BOARD] = [124, 14, 30, 60];
const KINDS = { max: "MAX", min: "MIN", chance: "CHANCE" };

export class TreeView {
  constructor(root, tutor) {
    this.tutor = tutor;
    this.title = el("h2", {});
    this.note = el("p", { class: "small soft" });
    this.sentence = el("p", { class: "sentence", "aria-live": "polite" });
    this.drawing = new Drawing("The search tree. Tab walks through the nodes, Enter opens and closes a node.");
    this.stepper = new Stepper("Step of the search", (step) => this.step(step));
    this.mode = el("button", { type: "button", text: "Follow the search", onclick: () => this.follow(!this.following) });
    const legend = [["max", "MAX", "the mover takes the best move"], ["min", "MIN", "the opponent takes the worst for the mover"],
      ["chance", "CHANCE", "the mean over the replies, with their probabilities"]];
    root.append(this.title, this.note, this.content = el("div", {},
      el("div", { class: "row" }, this.mode, this.drawing.buttons, el("button", { type: "button", text: "Main line", onclick: () => this.mainLine() })),
      this.walk = el("div", { hidden: true }, this.sentence, this.stepper.element),
      this.drawing.element,
      el("p", { class: "legend" }, legend.map(([kind, name, text]) => el("span", {}, el("b", { class: kind, text: name }), ` ${text}`)),
        el("span", {}, "dashed: cut, never searched"), el("span", {}, "α, β: what each side already has elsewhere"))));
  }

  async refresh(signal) {
    const isOpen = this.tutor.state.status === "open";
    this.content.hidden = !isOpen;
    if (!isOpen) {
      this.title.textContent = "Search tree";
      this.note.textContent = "The game is over: there is nothing to search.";
      return;
    }
    this.note.textContent = "The agent searches …";
    const tree = await ask("/api/tree", this.tutor.question, signal);
    this.tree = tree;
    this.children = tree.nodes.map(() => []);
    tree.nodes.forEach((node, id) => node.parent !== null && this.children[node.parent].push(id));
    this.title.textContent = tree.title;
    const shorter = tree.whole ? "" : `The agent looks ${tree.wanted} plies deep; this drawing follows a shallower search, because the whole one has too many nodes. `;
    this.note.textContent = `${shorter}${show(tree.nodes.length)} nodes are kept for the drawing.`;
    const { following } = this;
    this.mainLine();
    if (!this.drawing.isReadable()) this.openRoot();
    this.follow(following);
  }

  /** Opens the root alone. */
  openRoot() {
    this.open = new Set([0]);
    this.draw((id) => (this.open.has(id) ? this.children[id] : []));
    this.drawing.fit();
  }

  /** Opens the root and the best line. */
  mainLine() {
    if (!this.tree) return;
    this.open = new Set([0]);
    for (let id = this.tree.nodes[0].best; id !== null && id !== undefined; id = this.tree.nodes[id].best) this.open.add(id);
    if (this.following) this.follow(false);
    this.draw((id) => (this.open.has(id) ? this.children[id] : []));
    this.drawing.fit();
  }

  follow(on) {
    if (!this.tree) return;
    this.following = Boolean(on);
    this.walk.hidden = !on;
    this.mode.setAttribute("aria-pressed", this.following);
    if (on) this.stepper.reset(this.tree.steps.length);
    else this.stepper.stop();
    if (!on) this.draw((id) => (this.open.has(id) ? this.children[id] : []));
  }

  /** Shows the path to the node of a step, with what the search knew then. */
  step(index) {
    if (!this.tree) return;
    const { nodes, steps } = this.tree;
    const now = steps[index];
    this.sentence.textContent = now.sentence;
    const seen = new Set();
    const left = new Set();
    for (const step of steps.slice(0, index + 1)) {
      seen.add(step.node);
      if (step.kind === "leave") left.add(step.node);
    }
    const cut = now.kind === "cut" ? nodes[now.node].parent : null;
    const path = new Set();
    for (let id = now.node; id !== null; id = nodes[id].parent) path.add(id);
    const isShown = (id) => seen.has(id) || (nodes[id].status === "cut" && (nodes[id].parent === cut || left.has(nodes[id].parent)));
    this.draw((id) => (path.has(id) ? this.children[id].filter(isShown) : []), { now: now.node, left });
    const { x, y } = this.spots.get(now.node);
    this.drawing.focus(x + BOX / 2, y + 40);
  }

  /** Alpha and beta at a node once some of its children have values. */
  window(id, left) {
    const node = this.tree.nodes[id];
    if (!node.window) return null;
    let [alpha, beta] = [node.window[0] ?? -Infinity, node.window[1] ?? Infinity];
    for (const child of this.children[id]) {
      const value = this.tree.nodes[child].number;
      if (!left?.has(child) || value === null) continue;
      if (node.kind === "max") alpha = Math.max(alpha, value);
      else beta = Math.min(beta, value);
    }
    const text = (value) => (Number.isFinite(value) ? (Math.abs(value) > 1e20 ? "win" : show(value)) : value > 0 ? "∞" : "−∞");
    return `α ${text(alpha)}  β ${text(beta)}`;
  }

  draw(childrenOf, walk) {
    const places = arrange(0, childrenOf);
    const { height } = sketch(this.tree.nodes[0].board, BOARD);
    // Searches that cut have a line more, for alpha and beta.
    this.foot = this.tree.nodes[0].window ? 66 : 54;
    const level = height + this.foot + LEVEL_GAP;
    this.spots = new Map([...places].map(([id, { x, depth }]) => [id, { x: x * (BOX + GAP), y: depth * level }]));
    const edges = [];
    for (const [id, { x, y }] of this.spots) {
      const parent = this.spots.get(this.tree.nodes[id].parent);
      if (!parent) continue;
      const best = this.tree.nodes[this.tree.nodes[id].parent].best === id && (!walk || walk.left.has(this.tree.nodes[id].parent));
      const [x1, y1, x2, y2] = [parent.x + BOX / 2, parent.y + level - LEVEL_GAP, x + BOX / 2, y];
      const middle = (y1 + y2) / 2;
      edges.push(svg("path", { class: best ? "edge best" : "edge", d: `M${x1} ${y1}C${x1} ${middle} ${x2} ${middle} ${x2} ${y2}` }));
    }
    const focused = this.focused;
    const nodes = [...this.spots].map(([id, spot]) => this.node(id, spot, height, walk));
    this.drawing.content.replaceChildren(...edges, ...nodes);
    if (focused !== undefined) this.drawing.content.querySelector(`[data-id="${focused}"]`)?.focus({ preventScroll: true });
  }

  node(id, { x, y }, height, walk) {
    const node = this.tree.nodes[id];
    const known = !walk || walk.left.has(id);
    const isCut = node.status === "cut";
    const isBest = node.parent !== null && this.tree.nodes[node.parent].best === id && (!walk || walk.left.has(node.parent));
    const classes = ["node", node.kind, isCut ? "cut" : "", walk?.now === id ? "now" : "", isBest ? "best" : ""];
    const board = sketch(node.board, BOARD);
    board.group.setAttribute("transform", `translate(${(BOX - BOARD) / 2} 18)`);
    const line = (at, text, kind) => svg("text", { x: BOX / 2, y: height + at, "text-anchor": "middle", class: kind, text });
    const value = isCut ? "cut" : known && node.value !== null ? `${node.sign === "=" ? "" : `${node.sign} `}${Number.isFinite(Number(node.value)) ? show(Number(node.value)) : node.value}` : "?";
    const chance = node.probability ? ` p ${node.probability}` : "";
    const closed = !walk && this.children[id].length && !this.open.has(id);
    // A box has room for the first part of a remark, such as the visits; the whole of it is in the title.
    const remark = (node.remark || "").split(",")[0];
    const more = closed ? `▾ ${this.children[id].length} below${remark ? `, ${remark}` : ""}` : remark || (node.omitted ? `+ ${show(node.omitted)} not kept` : "");
    const limits = this.window(id, walk ? walk.left : new Set(this.tree.nodes.keys()));
    const label = `${node.label || "the position"}${chance}`;
    const group = svg("g", {
      class: classes.join(" "), transform: `translate(${x} ${y})`, tabindex: 0, role: "button", "data-id": id,
      "aria-expanded": this.children[id].length ? String(!closed) : null,
      "aria-label": `${label}, ${KINDS[node.kind]}, ${isCut ? "cut" : `value ${value}`}${limits && !isCut ? `, ${limits}` : ""}`,
      onclick: () => this.toggle(id), onfocus: () => (this.focused = id), onblur: () => (this.focused = undefined),
      onkeydown: (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); this.toggle(id); } },
    }, svg("rect", { class: "box", width: BOX, height: height + this.foot, rx: 8 }), svg("title", { text: node.remark || label }), board.group,
    svg("text", { x: BOX / 2, y: 13, "text-anchor": "middle", text: label.length > 21 ? `${label.slice(0, 20)}…` : label }),
    svg("text", { x: BOX / 2, y: height + 32, "text-anchor": "middle" },
      svg("tspan", { class: "kind", text: `${KINDS[node.kind]} ` }), svg("tspan", { text: value })),
    limits && !isCut ? line(46, limits, "faint") : null,
    more ? line(this.foot - 6, more.length > 21 ? `${more.slice(0, 20)}…` : more, "faint") : null);
    return group;
  }

  toggle(id) {
    if (this.following) {
      const step = this.tree.steps.findIndex((known) => known.node === id);
      if (step >= 0) this.stepper.go(step);
      return;
    }
    if (!this.open.delete(id)) this.open.add(id);
    this.focused = id;
    this.draw((node) => (this.open.has(node) ? this.children[node] : []));
  }
}
