// The dashboard: all runs, a run in progress, two runs side by side.

import { $, ask, attempt, el, say, show, sortable, svg } from "./base.js";

const EVERY = 1000;

/** A number of seconds as words. */
function duration(seconds) {
  if (seconds === null || seconds === undefined) return "";
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return seconds < 172800 ? `${(seconds / 3600).toFixed(1)} h` : `${(seconds / 86400).toFixed(1)} days`;
}

/** Repeats an action while the page is visible, and shows one message when it begins to fail. */
function poll(action) {
  let failed = false;
  const turn = async () => {
    if (!document.hidden) {
      try {
        await action();
        failed = false;
      } catch (error) {
        if (!failed) say(error.message, true);
        failed = true;
      }
    }
    setTimeout(turn, EVERY);
  };
  return turn();
}

class Home {
  constructor() {
    this.cards = new Map();
    $("filter").addEventListener("input", () => this.filter());
    $("pair").addEventListener("submit", (event) => {
      event.preventDefault();
      const { a, b } = event.target.elements;
      if (a.value && b.value) location.href = `/compare?a=${a.value}&b=${b.value}`;
    });
    poll(() => this.refresh());
  }

  async refresh() {
    const runs = await ask("/api/runs");
    const rank = { running: 0, stopped: 1, finished: 2 };
    runs.sort((a, b) => rank[a.state] - rank[b.state] || a.name.localeCompare(b.name));
    $("empty").hidden = runs.length > 0;
    const order = runs.map((run) => run.name).join();
    for (const run of runs) {
      const text = JSON.stringify(run);
      const known = this.cards.get(run.name);
      if (known?.text === text) continue;
      const card = this.card(run);
      known?.element.replaceWith(card);
      this.cards.set(run.name, { text, element: card, run });
    }
    if (order !== this.order) {
      this.order = order;
      $("runs").replaceChildren(...runs.map((run) => this.cards.get(run.name).element));
      this.choices(runs.filter((run) => run.state === "finished"));
    }
    this.filter();
    document.body.dataset.ready = "true";
  }

  choices(runs) {
    const selects = [...$("pair").querySelectorAll("select")];
    selects.forEach((select, index) => {
      const chosen = select.value || runs[index]?.name;
      select.replaceChildren(...runs.map((run) => el("option", { value: run.name, text: run.name, selected: run.name === chosen })));
    });
  }

  filter() {
    const wanted = $("filter").value.trim().toLowerCase();
    for (const { element, run } of this.cards.values()) element.hidden = !`${run.name} ${run.kind}`.toLowerCase().includes(wanted);
  }

  card(run) {
    const share = run.expected ? run.done / run.expected : 0;
    return el("article", { class: "card run" },
      el("h3", {}, el("a", { href: `/runs/${run.name}`, text: run.name })),
      el("p", { class: "small" }, el("span", { class: `state ${run.state}`, text: run.state }), el("span", { class: "soft", text: ` · ${run.kind}` })),
      run.state !== "finished" && run.expected ? el("div", {}, el("progress", { max: 1, value: share, "aria-label": "Games done" }),
        el("p", { class: "small soft", text: `${show(run.done)} of ${show(run.expected)} games${run.state === "running" && run.secondsLeft ? `, ${duration(run.secondsLeft)} left` : ""}` })) : null,
      el("p", { class: "headline small", text: run.problem || (run.state === "finished" ? run.headline : "") || "" }));
  }
}

/** A scale from numbers to places on the drawing. */
const scale = ([low, high], [from, to]) => (value) => from + ((value - low) / (high - low || 1)) * (to - from);
const span = (values) => (values.length ? [Math.min(...values), Math.max(...values)] : [0, 1]);

/** The frame of a chart: axes with their ends, and what is drawn in it. */
function chart(title, about, { x, y, xLabel }, draw) {
  const [width, height, left, bottom] = [560, 250, 58, 30];
  const place = { x: scale(x, [left, width - 8]), y: scale(y, [height - bottom, 10]) };
  const ticks = (range) => [0, 0.25, 0.5, 0.75, 1].map((share) => range[0] + share * (range[1] - range[0]));
  const drawing = svg("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${title}. ${about}` },
    ticks(y).map((value) => [svg("line", { class: "axis", x1: left, x2: width - 8, y1: place.y(value), y2: place.y(value) }),
      svg("text", { x: left - 6, y: place.y(value) + 4, "text-anchor": "end", text: show(value) })]).flat(),
    [x[0], x[1]].map((value, index) => svg("text", { x: place.x(value), y: height - 10, "text-anchor": index ? "end" : "start", text: show(value) })),
    svg("text", { x: (left + width) / 2, y: height - 10, "text-anchor": "middle", text: xLabel }), draw(place));
  return el("div", { class: "card" }, el("h2", { text: title }), drawing, el("p", { class: "small soft", text: about }));
}

const path = (points) => points.map(([x, y], index) => `${index ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");

function validation(search, objective) {
  const points = search.validation;
  const x = [0, Math.max(1, ...points.map(([games]) => games))];
  const y = span(points.flatMap(([, [, low, high]]) => [low, high]));
  return chart(`${objective} on validation games: ${search.name}`, "The band is the 95 % interval. The search never sees these games.",
    { x, y, xLabel: "training games" }, (place) => {
      const at = (index) => points.map(([games, value]) => [place.x(games), place.y(value[index])]);
      return [svg("path", { class: "band", d: `${path(at(1))}L${path(at(2).reverse()).slice(1)}Z` }),
        svg("path", { class: "line", d: path(at(0)) }), at(0).map(([cx, cy]) => svg("circle", { class: "fill", cx, cy, r: 3 }))].flat();
    });
}

function evaluations(search) {
  const points = search.evaluations;
  const x = span(points.map(([game]) => game));
  return chart(`Evaluations: ${search.name}`, "Each dot is a candidate on a few training games, so single dots are noisy.",
    { x, y: span(points.map(([, value]) => value)), xLabel: "training games" }, (place) =>
      points.map(([game, value]) => svg("circle", { class: "dot", cx: place.x(game), cy: place.y(value), r: 2, opacity: 0.45 })));
}

function coefficients(search, names) {
  const rows = names.map((name, index) => el("tr", {}, el("td", { text: name }), el("td", { text: show(search.point[index]) }),
    el("td", { text: search.spread[index] === undefined ? "" : show(search.spread[index]) })));
  return el("div", { class: "card" }, el("h2", { text: `Coefficients: ${search.name}` }), el("div", { class: "scroll" }, el("table", {},
    el("thead", {}, el("tr", {}, ["coefficient", "leading value", "spread of the latest candidates"].map((text) => el("th", { scope: "col", text })))),
    el("tbody", {}, rows))));
}

function standings(agents) {
  const bar = (estimate, range) => {
    const place = scale(range, [0, 100]);
    const drawing = svg("svg", { viewBox: "0 0 100 12", width: 160, height: 16, preserveAspectRatio: "none", "aria-hidden": "true" },
      svg("line", { class: "mark", x1: place(estimate[1]), x2: place(estimate[2]), y1: 6, y2: 6, style: "stroke:var(--max)" }),
      svg("circle", { class: "dot", cx: place(estimate[0]), cy: 6, r: 2.4 }));
    return drawing;
  };
  const known = agents.filter((agent) => agent.mean_score);
  const range = span(known.flatMap((agent) => agent.mean_score));
  const interval = (estimate, factor = 1, digits) => (estimate ? `${show(estimate[0] * factor, digits)} (${show(estimate[1] * factor, digits)} to ${show(estimate[2] * factor, digits)})` : "");
  const order = [...agents].sort((a, b) => (b.win_rate?.[0] ?? -1) - (a.win_rate?.[0] ?? -1) || (b.mean_score?.[0] ?? 0) - (a.mean_score?.[0] ?? 0));
  return el("div", { class: "card", style: "grid-column:1/-1" }, el("h2", { text: "Standings" }), el("div", { class: "scroll" }, el("table", {},
    el("thead", {}, el("tr", {}, ["agent", "games", "won, %", "mean score", ""].map((text) => el("th", { scope: "col", text })))),
    el("tbody", {}, order.map((agent) => el("tr", {}, el("td", { text: agent.agent }), el("td", { text: show(agent.games) }),
      el("td", { text: interval(agent.win_rate, 100, 1) }), el("td", { text: interval(agent.mean_score) }),
      el("td", {}, agent.mean_score ? bar(agent.mean_score, range) : "")))))),
  el("p", { class: "small soft", text: "Intervals are 95 % and shrink as games are played. Looking at them while they shrink is not a test: wait for the end." }));
}

class Live {
  constructor(root) {
    this.run = root.dataset.run;
    poll(() => this.refresh());
  }

  async refresh() {
    const { state, live, agents, secondsLeft } = await ask(`/api/runs/${this.run}`);
    if (this.state && this.state !== "finished" && state === "finished") location.reload();
    this.state = state;
    $("state").textContent = state;
    $("state").className = `state ${state}`;
    $("left").textContent = state === "running" && secondsLeft ? `about ${duration(secondsLeft)} left` :
      state === "stopped" ? "The run was stopped before its end. The same command continues where it stopped." : "";
    if (live) this.draw({ ...live, agents });
    document.body.dataset.ready = "true";
  }

  draw(live) {
    $("progress").max = live.expected || 1;
    $("progress").value = live.done;
    $("counts").textContent = `${show(live.done)} of ${show(live.expected)} games`;
    const text = JSON.stringify([live.searches, live.agents]);
    if (text === this.text) return;
    this.text = text;
    const latest = live.searches.slice(-4).reverse();
    $("charts").replaceChildren(...(live.agents.length ? [standings(live.agents)] : []), ...latest.flatMap((search) => [
      search.validation.length ? validation(search, live.objective) : null,
      search.point.length ? coefficients(search, live.parameters) : null,
      search.evaluations.length ? evaluations(search) : null,
    ].filter(Boolean)));
  }
}

if ($("runs")) new Home();
if ($("live")) new Live($("live"));
attempt(() => document.querySelectorAll("table.sortable").forEach(sortable));
