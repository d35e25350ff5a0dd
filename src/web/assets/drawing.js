// A drawing that can be moved, zoomed, and explored with the keyboard.

import { el, svg } from "./base.js";

/** How many units of a drawing one pixel may show if its text is to be read. */
const READABLE = 1.1;

export class Drawing {
  constructor(label) {
    this.content = svg("g", {});
    this.element = svg("svg", { class: "drawing", role: "group", tabindex: 0, "aria-label": label }, this.content);
    this.view = { x: 0, y: 0, width: 600, height: 400 };
    this.bind();
  }

  /** Buttons for users without a mouse wheel or touch screen. */
  get buttons() {
    const button = (text, label, action) => el("button", { type: "button", text, "aria-label": label, onclick: action });
    return [button("−", "Zoom out", () => this.zoom(1.3)), button("+", "Zoom in", () => this.zoom(1 / 1.3)),
      button("Fit", "Show the whole drawing", () => this.fit())];
  }

  show() {
    const { x, y, width, height } = this.view;
    this.element.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
  }

  /** Shows everything, but not larger than it is drawn. */
  fit() {
    const area = this.content.getBBox();
    const frame = this.element.getBoundingClientRect();
    const [wide, tall] = [frame.width || 600, frame.height || 400];
    const scale = Math.max((area.width + 24) / wide, (area.height + 24) / tall, 0.8);
    const [width, height] = [wide * scale, tall * scale];
    this.view = { x: area.x + area.width / 2 - width / 2, y: Math.min(area.y - 12, area.y + area.height / 2 - height / 2), width, height };
    if (area.height < height) this.view.y = area.y - 12;
    this.show();
  }

  /** Whether the text can be read at the present size. */
  isReadable() { return this.view.width <= READABLE * (this.element.getBoundingClientRect().width || 600); }

  /** Shows as much of the drawing as can be read, always with this point in it. */
  focus(x, y) {
    const area = this.content.getBBox();
    const frame = this.element.getBoundingClientRect();
    const [wide, tall] = [frame.width || 600, frame.height || 400];
    const scale = Math.min(Math.max((area.width + 24) / wide, (area.height + 24) / tall, 0.8), READABLE);
    const [width, height] = [wide * scale, tall * scale];
    const start = (at, from, length, shown) => (length + 24 <= shown ? from + length / 2 - shown / 2
      : Math.min(Math.max(at - shown / 2, from - 12), from + length + 12 - shown));
    const top = area.height + 24 <= height ? area.y - 12 : start(y, area.y, area.height, height);
    this.view = { x: start(x, area.x, area.width, width), y: top, width, height };
    this.show();
  }

  zoom(factor, x = 0.5, y = 0.5) {
    const { view } = this;
    const width = Math.min(Math.max(view.width * factor, 120), 40000);
    const real = width / view.width;
    view.x += view.width * (1 - real) * x;
    view.y += view.height * (1 - real) * y;
    view.width = width;
    view.height *= real;
    this.show();
  }

  bind() {
    const { element } = this;
    const pointers = new Map();
    const place = (event) => {
      const frame = element.getBoundingClientRect();
      return [(event.clientX - frame.left) / frame.width, (event.clientY - frame.top) / frame.height];
    };
    element.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(event.deltaY > 0 ? 1.12 : 1 / 1.12, ...place(event));
    }, { passive: false });
    element.addEventListener("pointerdown", (event) => pointers.set(event.pointerId, place(event)));
    element.addEventListener("pointermove", (event) => {
      if (!pointers.has(event.pointerId)) return;
      const [before, now] = [pointers.get(event.pointerId), place(event)];
      const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
      pointers.set(event.pointerId, now);
      if (other) {
        const apart = (point) => Math.hypot(point[0] - other[0], point[1] - other[1]);
        this.zoom(apart(before) / Math.max(apart(now), 0.01), ...other);
      } else {
        this.view.x -= (now[0] - before[0]) * this.view.width;
        this.view.y -= (now[1] - before[1]) * this.view.height;
        this.show();
      }
    });
    for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
      element.addEventListener(end, (event) => pointers.delete(event.pointerId));
    }
    element.addEventListener("keydown", (event) => {
      const shift = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (shift) {
        this.view.x += shift[0] * this.view.width * 0.1;
        this.view.y += shift[1] * this.view.height * 0.1;
      } else if (event.key === "+" || event.key === "-") {
        this.zoom(event.key === "+" ? 1 / 1.2 : 1.2);
      } else {
        return;
      }
      event.preventDefault();
      this.show();
    });
  }
}

/** Places for a tree: parents over the middle of their children. Returns x (in boxes) by node, and the width. */
export function arrange(root, childrenOf) {
  const places = new Map();
  let next = 0;
  const visit = (node, depth) => {
    const below = childrenOf(node).map((child) => visit(child, depth + 1));
    const x = below.length ? (below[0] + below[below.length - 1]) / 2 : next++;
    places.set(node, { x, depth });
    return x;
  };
  visit(root, 0);
  return places;
}

/** A row of buttons and a slider that go through numbered steps. */
export class Stepper {
  constructor(label, onStep) {
    this.onStep = onStep;
    const button = (text, name, action) => el("button", { type: "button", text, "aria-label": name, onclick: action });
    this.range = el("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": label, oninput: () => this.go(Number(this.range.value)) });
    this.text = el("span", { class: "small soft" });
    this.player = button("▶", "Play the steps", () => this.toggle());
    this.element = el("div", { class: "stepper" }, button("«", "First step", () => this.go(0)),
      button("‹", "Step back", () => this.go(this.at - 1)), this.player,
      button("›", "Step forward", () => this.go(this.at + 1)), button("»", "Last step", () => this.go(this.last)), this.range, this.text);
    this.at = 0;
  }

  /** Begins again with this many steps. */
  reset(count, at = 0) {
    this.stop();
    this.last = Math.max(count - 1, 0);
    this.range.max = this.last;
    this.go(at);
  }

  go(step) {
    this.at = Math.min(Math.max(step, 0), this.last ?? 0);
    this.range.value = this.at;
    this.text.textContent = `${this.at + 1} of ${(this.last ?? 0) + 1}`;
    this.onStep(this.at);
  }

  toggle() {
    if (this.timer) return this.stop();
    if (this.at >= this.last) this.go(0);
    this.player.textContent = "❚❚";
    this.timer = setInterval(() => (this.at < this.last ? this.go(this.at + 1) : this.stop()), 700);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.player.textContent = "▶";
  }
}
