// What all pages share: requests, elements, messages, the theme.

const box = () => document.getElementById("message");
let hide;

/** Shows a message to the user, also to screen readers. One that stays is removed by an empty message. */
export function say(text, isError = false, stays = false) {
  clearTimeout(hide);
  box().className = isError ? "error" : "";
  box().textContent = text;
  if (text && !stays) hide = setTimeout(() => (box().textContent = ""), isError ? 9000 : 4000);
}

/** Asks the server. Errors carry the server's own sentence. */
export async function ask(path, body, signal) {
  const options = body === undefined ? { signal } : {
    method: "POST", signal, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  };
  let response;
  try {
    response = await fetch(path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error("The server does not answer. Is `lab2048 serve` still running?");
  }
  const kind = response.headers.get("Content-Type") || "";
  const answer = kind.startsWith("application/json") ? await response.json() : await response.text();
  if (!response.ok) throw new Error(answer.error || `The server answered ${response.status}.`);
  return answer;
}

/** Runs an action of the user. An error is shown as a message, not thrown. */
export async function attempt(action) {
  try {
    return await action();
  } catch (error) {
    if (error.name !== "AbortError") say(error.message, true);
  }
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "text") element.textContent = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** An HTML element. Text is always text, never markup. */
export const el = (name, attributes, ...children) => fill(document.createElement(name), attributes, children);

/** An SVG element. */
export const svg = (name, attributes, ...children) =>
  fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);

export const $ = (id) => document.getElementById(id);

/** A number for a person: no more digits than can be read. */
export function show(value, digits) {
  if (value === null || value === undefined || Number.isNaN(value)) return "";
  const size = Math.abs(value);
  const places = digits ?? (size >= 1000 || Number.isInteger(value) ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3);
  return value.toLocaleString("en", { minimumFractionDigits: 0, maximumFractionDigits: places });
}

export const sleep = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** Stores small values between visits, if the browser allows it. */
export const memory = {
  get(key) { try { return localStorage.getItem(key); } catch { return null; } },
  set(key, value) { try { localStorage.setItem(key, value); } catch { /* private windows keep nothing */ } },
};

function theme() {
  const root = document.documentElement;
  const chosen = memory.get("theme");
  if (chosen) root.dataset.theme = chosen;
  $("theme")?.addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    memory.set("theme", root.dataset.theme);
  });
}
theme();

/** Tabs that follow the keyboard pattern of the ARIA guide: arrows move, the chosen tab is in the tab order. */
export function tabs(list, onShow) {
  const buttons = [...list.querySelectorAll("[role=tab]")];
  const choose = (chosen) => {
    for (const button of buttons) {
      const on = button === chosen;
      button.setAttribute("aria-selected", on);
      button.tabIndex = on ? 0 : -1;
      $(button.getAttribute("aria-controls")).hidden = !on;
    }
    onShow(chosen.id);
  };
  buttons.forEach((button, index) => {
    button.addEventListener("click", () => choose(button));
    button.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      event.stopPropagation();
      const next = buttons[(index + step + buttons.length) % buttons.length];
      next.focus();
      choose(next);
    });
  });
  return (id) => choose($(id));
}

/** Lets a table be sorted by its columns. */
export function sortable(table) {
  table.querySelectorAll("thead th").forEach((head, column) => {
    const text = head.textContent;
    head.replaceChildren(el("button", { type: "button", text, onclick: () => sort(table, head, column) }));
  });
}

function sort(table, head, column) {
  const descending = head.getAttribute("aria-sort") !== "descending";
  for (const other of table.querySelectorAll("thead th")) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", descending ? "descending" : "ascending");
  const body = table.tBodies[0];
  const key = (row) => {
    const cell = row.cells[column];
    const text = cell?.dataset.value ?? cell?.textContent ?? "";
    const value = parseFloat(text.replace(/[,\s]/g, ""));
    return Number.isNaN(value) ? text : value;
  };
  const compare = (a, b) => {
    const [x, y] = [key(a), key(b)];
    if (x === "" || y === "") return x === "" ? 1 : -1;
    const order = typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y));
    return descending ? -order : order;
  };
  body.append(...[...body.rows].sort(compare));
}
