// The choice of an agent, with its settings.

import { field, fill, h } from "./dom.js";
import { parseSpec, writeSpec } from "./spec.js";
import { settingsForm } from "./settings_form.js";

/**
 * A choice of who plays. `agents` is what the server knows for the game; `onchange` gets the
 * agent's text. Persons are offered if `human`.
 */
export function agentPicker(agents, { label, agent, onchange, human = false, opinion = false }) {
  const details = h("div", { class: "agent-settings" });
  const choice = h("select", {}, groups(agents, human, opinion));
  const use = (text) => {
    onchange(text);
    showSettings(text);
  };
  const showSettings = (text) => {
    const { name, settings } = parseSpec(text);
    const entry = isPlain(agents, text) && agents.agents.find((each) => each.name === name);
    if (!entry || entry.settings.length === 0) {
      fill(details);
      return;
    }
    const form = settingsForm(entry.settings, settings, (values) => {
      onchange(writeSpec(name, values));
    });
    const open = entry.settings.length <= 2;
    const about = h("p", { class: "hint" }, entry.about);
    fill(details, h("details", { open }, h("summary", {}, `Settings of ${name}`), about, form));
  };
  choice.value = optionOf(agents, agent);
  if (choice.selectedIndex < 0) {
    choice.append(h("option", { value: agent }, agent));
    choice.value = agent;
  }
  choice.addEventListener("change", () => use(choice.value));
  showSettings(agent);
  return h("div", { class: "agent-picker" }, field(label, choice), details);
}

/** The agents that have an opinion about every move, as texts to begin with. */
export function firstOpinions(agents) {
  const learned = agents.values.map((value) => value.agent);
  const ready = ["champion", "mcts"];
  const searching = agents.agents.filter((each) => each.fits && ready.includes(each.name));
  return [agents.adviser, ...learned, ...searching.map((each) => each.name)];
}

function groups(agents, human, opinion) {
  const option = (value, text, title) => h("option", { value, title }, text);
  const group = (label, options) => (options.length ? h("optgroup", { label }, options) : null);
  const fits = agents.agents.filter((each) => each.fits && (!opinion || each.opinion));
  return [
    human ? option("human", "A person, here") : null,
    opinion
      ? null
      : group(
          "Levels",
          agents.levels.map((l) => option(l.agent, l.title)),
        ),
    group(
      "Learned here",
      agents.values.map((v) => option(v.agent, v.title)),
    ),
    group(
      "Agents",
      fits.map((a) => option(a.name, `${a.name} – ${a.about}`, a.about)),
    ),
  ].filter(Boolean);
}

function isPlain(agents, text) {
  const named = [...agents.levels, ...agents.values];
  return text !== "human" && !named.some((each) => each.agent === text);
}

function optionOf(agents, text) {
  return isPlain(agents, text) ? parseSpec(text).name : text;
}
