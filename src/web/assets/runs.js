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
        if (failed) say("");
        failed = false;
      } catch (error) {
        if (!failed) say(error.message, true, true);
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
      // The heading of a known card stays, because its link may have the focus.
      known?.element.replaceChildren(known.element.firstChild, ...[...card.children].slice(1));
      this.cards.set(run.name, { text, element: known?.element ?? card, run });
    }
    if (order !== this.order) {
      this.order = order;
      $("reading").hidden = true;
      $("runs").replaceChildren(...runs.map((run) => this.cards.get(run.name).element));
      this.choices(runs.filter((run) => run.state === "finished"));
    }
    this.filter();
    document.body.dataset.ready = "true";
  }

  choices(runs) {
    $("pair").hidden = runs.length < 2;
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
      el("p", { class: "headline small", text: run.problem || run.headline || "" }));
  }
}

/** A scale from numbers to places on the drawing. */
const scale = ([low, high], [from, to]) => (value) => from + ((value - low) / (high - low || 1)) * (to - from);
const span = (values) => (values.length ? [Math.min(...values), Math.max(...values)] : [0, 1]);

/** Round numbers that lie in a range, about five of them. */
function ticks([low, high]) {
  const rough = (high - low || 1) / 5;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * unit).find((size) => size >= rough);
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, index) => (first + index) * step);
}

/** The frame of a chart: axes with round numbers and their names, and what is drawn in it. */
function chart(title, about, { x, y, xLabel, yLabel }, draw) {
  // Drawn at the size at which it is shown, so that its text stays legible on a phone.
  const [width, height, left, bottom] = [innerWidth < 620 ? 340 : 560, innerWidth < 620 ? 220 : 260, 62, 40];
  const place = { x: scale(x, [left, width - 10]), y: scale(y, [height - bottom, 22]) };
  const drawing = svg("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${title}. ${about}` },
    ticks(y).map((value) => [svg("line", { class: "axis", x1: left, x2: width - 10, y1: place.y(value), y2: place.y(value) }),
      svg("text", { x: left - 6, y: place.y(value) + 4, "text-anchor": "end", text: show(value) })]).flat(),
    ticks(x).map((value) => svg("text", { x: place.x(value), y: height - 24, "text-anchor": "middle", text: show(value) })),
    svg("text", { x: left, y: 12, text: yLabel }),
    svg("text", { x: (left + width) / 2, y: height - 6, "text-anchor": "middle", text: xLabel }), draw(place));
  return el("div", { class: "card" }, el("h2", { text: title }), drawing, el("p", { class: "small soft", text: about }));
}

const path = (points) => points.map(([x, y], index) => `${index ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");

function validation(search, objective) {
  const points = search.validation;
  const x = [0, Math.max(1, ...points.map(([games]) => games))];
  const y = span(points.flatMap(([, [, low, high]]) => [low, high]));
  return chart(`Validation: ${search.name}`, "The band is the 95 % interval. The search never sees these games.",
    { x, y, xLabel: "training games", yLabel: `${objective} on validation games` }, (place) => {
      const at = (index) => points.map(([games, value]) => [place.x(games), place.y(value[index])]);
      return [svg("path", { class: "band", d: `${path(at(1))}L${path(at(2).reverse()).slice(1)}Z` }),
        svg("path", { class: "line", d: path(at(0)) }), at(0).map(([cx, cy]) => svg("circle", { class: "fill", cx, cy, r: 3 }))].flat();
    });
}

function evaluations(search, objective) {
  const points = search.evaluations;
  const x = span(points.map(([game]) => game));
  return chart(`Evaluations: ${search.name}`, "Each dot is a candidate on a few training games, so single dots are noisy.",
    { x, y: span(points.map(([, value]) => value)), xLabel: "training games", yLabel: `${objective} of a candidate` }, (place) =>
      points.map(([game, value]) => svg("circle", { class: "dot", cx: place.x(game), cy: place.y(value), r: 2, opacity: 0.6 })));
}

/** A value with its spread, drawn on its range. */
function interval([low, middle, high], range, map = (value) => value) {
  const place = scale(range.map(map), [6, 154]);
  const at = (value) => Math.min(Math.max(place(map(value)), 3), 157);
  return svg("svg", { class: "chart interval", viewBox: "0 0 160 16", width: 160, height: 16, "aria-hidden": "true" },
    svg("line", { class: "axis", x1: 3, x2: 157, y1: 8, y2: 8 }),
    svg("line", { class: "mark", x1: at(low), x2: at(high), y1: 8, y2: 8 }),
    svg("circle", { class: "dot", cx: at(middle), cy: 8, r: 4 }));
}

function coefficients(search, { parameters, ranges }) {
  const row = (name, index) => {
    const [value, spread, range] = [search.point[index], search.spread[index], ranges[index]];
    const [low, high, isLog] = range ?? [];
    // On a logarithmic scale all values have one sign, and the spread must not cross zero.
    const map = isLog ? (number) => Math.sign(low) * Math.log(Math.max(Math.abs(number), Math.min(Math.abs(low), Math.abs(high)))) : undefined;
    const inside = (number) => Math.min(Math.max(number, low), high);
    return el("tr", {}, el("td", { text: name }), el("td", { text: show(value) }), el("td", { text: spread === undefined ? "" : show(spread) }),
      el("td", {}, range ? interval([inside(value - (spread ?? 0)), value, inside(value + (spread ?? 0))], [low, high], map) : ""));
  };
  return el("div", { class: "card" }, el("h2", { text: `Coefficients: ${search.name}` }), el("div", { class: "scroll" }, el("table", { class: "narrow" },
    el("thead", {}, el("tr", {}, ["coefficient", "mean", "spread", "on its range"].map((text) => el("th", { scope: "col", text })))),
    el("tbody", {}, parameters.map(row)))),
  el("p", { class: "small soft", text: "The mean of the distribution that the search samples; for optimizers without one, the leading point. The spread is the standard deviation of the latest candidates." }));
}

function standings(agents) {
  const known = agents.filter((agent) => agent.mean_score);
  const range = span(known.flatMap((agent) => agent.mean_score));
  const words = (estimate, factor = 1, digits) => (estimate ? `${show(estimate[0] * factor, digits)} (${show(estimate[1] * factor, digits)} to ${show(estimate[2] * factor, digits)})` : "");
  // By the lower ends of the intervals, so that an agent with a single game does not lead.
  const order = [...agents].sort((a, b) => (b.win_rate?.[1] ?? -1) - (a.win_rate?.[1] ?? -1) || (b.mean_score?.[1] ?? 0) - (a.mean_score?.[1] ?? 0));
  return el("div", { class: "card", style: "grid-column:1/-1" }, el("h2", { text: "Standings" }), el("div", { class: "scroll" }, el("table", { class: "narrow" },
    el("thead", {}, el("tr", {}, ["agent", "games", "won, %", "mean score", `${show(range[0])} to ${show(range[1])}`].map((text) => el("th", { scope: "col", text })))),
    el("tbody", {}, order.map((agent) => el("tr", {}, el("td", { text: agent.agent }), el("td", { text: show(agent.games) }),
      el("td", { text: words(agent.win_rate, 100, 1) }), el("td", { text: words(agent.mean_score) }),
      el("td", {}, agent.mean_score ? interval([agent.mean_score[1], agent.mean_score[0], agent.mean_score[2]], range) : "")))))),
  el("p", { class: "small soft", text: "Intervals are 95 % and shrink as games are played. The last column draws the mean scores with theirs. Looking at them while they shrink is not a test: wait for the end." }));
}

class Live {
  constructor(root) {
    this.run = root.dataset.run;
    poll(() => this.refresh());
  }

  async refresh() {
    const { state, live, agents, secondsLeft, problem } = await ask(`/api/runs/${this.run}`);
    if (this.state && this.state !== "finished" && state === "finished") location.reload();
    this.state = state;
    $("state").textContent = state;
    $("state").className = `state ${state}`;
    $("left").textContent = state === "running" && secondsLeft ? `about ${duration(secondsLeft)} left` :
      problem ? problem : state === "stopped" ? "The run was stopped before its end. The same command continues where it stopped." : "";
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
    const scrolled = [...$("charts").querySelectorAll(".scroll")].map((element) => element.scrollLeft);
    $("charts").replaceChildren(...(live.agents.length ? [standings(live.agents)] : []), ...latest.flatMap((search) => [
      search.validation.length ? validation(search, live.objective) : null,
      search.point.length ? coefficients(search, live) : null,
      search.evaluations.length ? evaluations(search, live.objective) : null,
    ].filter(Boolean)));
    $("charts").querySelectorAll(".scroll").forEach((element, index) => (element.scrollLeft = scrolled[index] ?? 0));
  }
}

if ($("runs")) new Home();
if ($("live")) new Live($("live"));
attempt(() => document.querySelectorAll("table.sortable").forEach(sortable));
