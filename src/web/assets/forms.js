// The form of an agent, made from the parameters that the agents declare.

import { el, memory } from "./base.js";

const PLACEHOLDERS = { depth: "default" };
// What most people want to change; the rest is folded away.
const COMMON = ["depth", "heuristic", "runs", "iterations", "exploration", "moves", "nodes", "work", "ms"];

function control(parameter, heuristics, value) {
  const common = { name: parameter.name, title: `${parameter.help} (${parameter.allowed})` };
  const option = (name, title) => el("option", { value: name, text: name, title, selected: name === value });
  switch (parameter.type) {
    case "flag":
      return el("select", common, option("false"), option("true"));
    case "choice":
      return el("select", common, parameter.options.map((name) => option(name)));
    case "heuristic": {
      const none = parameter.default === "" ? "" : parameter.default;
      const first = el("option", { value: none, text: none === "" ? "none" : "default" });
      return el("select", common, first, heuristics.map((known) => option(known.name, known.summary)));
    }
    case "integer":
    case "number":
      return el("input", {
        ...common, type: "number", min: parameter.min, max: parameter.max, value,
        step: parameter.type === "integer" ? 1 : "any", placeholder: parameter.default || PLACEHOLDERS[parameter.name] || "none",
      });
    default:
      return el("input", { ...common, value, placeholder: parameter.default || "none", size: 6 });
  }
}

export class AgentForm {
  /** `key` is where the choice is remembered; `start` the agent at the first visit. */
  constructor(form, catalog, key, start, onChange) {
    Object.assign(this, { form, catalog, key, onChange, game: "2048" });
    this.set(memory.get(key) || start);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("change", (event) => {
      if (event.target.name === "kind") this.set(event.target.value);
      memory.set(key, this.text());
      this.onChange();
    });
  }

  /** Shows this agent, written as `kind:key=value,...`. */
  set(text) {
    const [kind, rest = ""] = text.split(/:(.*)/s);
    const given = Object.fromEntries(rest.split(",").filter(Boolean).map((pair) => pair.split(/=(.*)/s).slice(0, 2)));
    this.show(this.catalog.agents.find((agent) => agent.name === kind) || this.catalog.agents[4], given);
  }

  setGame(game) {
    this.game = game;
    this.set(this.text());
  }

  show(agent, given) {
    this.agent = agent;
    const heuristics = this.catalog.games.find((game) => game.name === this.game).heuristics;
    const field = (parameter) =>
      el("label", {}, parameter.name, control(parameter, heuristics, given[parameter.name] ?? ""));
    const common = agent.parameters.filter((parameter) => COMMON.includes(parameter.name));
    const rest = agent.parameters.filter((parameter) => !COMMON.includes(parameter.name));
    const open = rest.some((parameter) => parameter.name in given);
    const kinds = this.catalog.agents.map((known) =>
      el("option", { value: known.name, text: known.name, selected: known === agent }));
    this.form.replaceChildren(
      el("div", { class: "form" }, el("label", {}, "Agent", el("select", { name: "kind" }, kinds)), common.map(field)),
      !rest.length ? el("p", { class: "small soft", text: `${agent.summary}.` }) : el("details", { open }, el("summary", { class: "small soft", text: `${agent.summary}; ${rest.length} more ${rest.length === 1 ? "parameter" : "parameters"}` }),
        el("div", { class: "form" }, rest.map(field))),
    );
  }

  /** The agent as the command line writes it. */
  text() {
    const given = this.agent.parameters.flatMap(({ name, default: usual }) => {
      const value = this.form.elements[name]?.value.trim() ?? "";
      return value === "" || value === usual ? [] : [`${name}=${value}`];
    });
    return given.length ? `${this.agent.name}:${given.join(",")}` : this.agent.name;
  }
}
