// Sorts tables, copies texts, steps through games. The report is readable without it.
"use strict";

// The theme that was chosen on the other pages of the server.
try {
  const theme = localStorage.getItem("theme");
  if (theme) document.documentElement.style.colorScheme = theme;
} catch { /* A page from a file has no storage. */ }

const make = (name, attributes, text) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
};

for (const table of document.querySelectorAll("table.sortable")) {
  table.querySelectorAll("thead th").forEach((head, column) => {
    const button = make("button", { type: "button" }, head.textContent);
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") !== "descending";
      table.querySelectorAll("th").forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const key = (row) => {
        const text = row.cells[column].dataset.value;
        return text !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
      };
      const order = (a, b) => {
        const [x, y] = [key(a), key(b)];
        if (x === "" || y === "") return (x === "") - (y === "");
        const forwards = typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y));
        return down ? -forwards : forwards;
      };
      table.tBodies[0].append(...[...table.tBodies[0].rows].sort(order));
    });
  });
}

for (const button of document.querySelectorAll("[data-copy]")) {
  button.addEventListener("click", async () => {
    const area = button.closest(".textbox").querySelector("textarea");
    try {
      await navigator.clipboard.writeText(area.value);
    } catch {
      area.select();
      document.execCommand("copy");
    }
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy"), 1500);
  });
}

const colours = { 2: "#eee4da", 4: "#ede0c8", 8: "#f2b179", 16: "#f59563", 32: "#f67c5f", 64: "#c9381a", 128: "#edcf72", 256: "#edcc61",
  512: "#edc850", 1024: "#edc53f", 2048: "#edc22e", X: "#0b5a8f", O: "#a3470c" };
const dark = ["2", "4", "8", "16", "32", "128", "256", "512", "1024", "2048"];

for (const player of document.querySelectorAll("[data-player]")) {
  const { frames } = JSON.parse(player.querySelector("script").textContent);
  const [grid, text] = [make("div", { class: "grid", role: "img" }), make("p", { class: "small", "aria-live": "polite" })];
  const range = make("input", { type: "range", min: 0, max: frames.length - 1, value: 0, "aria-label": "Move" });
  let timer = null;
  const show = (at) => {
    range.value = Math.min(Math.max(at, 0), frames.length - 1);
    const [board, score, what, number] = frames[Number(range.value)];
    const rows = board.split("/").map((row) => (row.includes(",") ? row.split(",") : [...row]));
    grid.style.gridTemplateColumns = `repeat(${rows[0].length}, 1fr)`;
    grid.setAttribute("aria-label", board);
    grid.replaceChildren(...rows.flat().map((cell) => {
      const empty = cell === "0" || cell === ".";
      const tile = make("span", {}, empty ? "" : cell);
      if (!empty) {
        tile.style.background = colours[cell] || "#3c3a32";
        tile.style.color = dark.includes(cell) ? "#3d362e" : "#fff";
      }
      return tile;
    }));
    text.textContent = `Move ${number}: ${what}. Score ${score.toLocaleString("en")}.`;
  };
  const stop = () => { clearInterval(timer); timer = null; play.textContent = "Play"; };
  const step = (by) => () => { stop(); show(Number(range.value) + by); };
  const play = make("button", { type: "button" }, "Play");
  play.addEventListener("click", () => {
    if (timer) return stop();
    play.textContent = "Pause";
    timer = setInterval(() => (Number(range.value) < frames.length - 1 ? show(Number(range.value) + 1) : stop()), 120);
  });
  const controls = make("div", { class: "controls" });
  const button = (label, name, action) => { const made = make("button", { type: "button", "aria-label": name }, label); made.addEventListener("click", action); return made; };
  controls.append(button("◀", "One move back", step(-1)), play, button("▶", "One move on", step(1)), range);
  range.addEventListener("input", () => { stop(); show(Number(range.value)); });
  player.append(grid, text, controls);
  show(0);
}
