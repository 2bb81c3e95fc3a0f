// The list of runs, with a filter.

import { button, fill, h } from "../dom.js";
import { ago, plain, whole } from "../format.js";

const STATES = {
  learning: "learning",
  stopped: "stopped",
  finished: "finished",
  elsewhere: "learning elsewhere",
  failed: "failed",
};

/** All runs, of which some are chosen. */
export class RunList {
  constructor({ ontoggle, onstart }) {
    this.ontoggle = ontoggle;
    this.runs = [];
    this.chosen = [];
    this.rows = new Map();
    this.filter = h("input", {
      type: "search",
      placeholder: "Filter: connect4 tcl …",
      "aria-label": "Filter the runs",
      oninput: () => this.#show(),
    });
    this.items = h("ul", { class: "run-items" });
    this.count = h("p", { class: "hint", role: "status" });
    this.element = h(
      "section",
      { class: "run-list card", "aria-label": "Runs" },
      button("Start a training", onstart, { look: "primary", title: "Start a training (a)" }),
      this.filter,
      this.count,
      this.items,
    );
  }

  /** Shows these runs. */
  update(runs, chosen) {
    this.runs = runs;
    this.chosen = chosen;
    this.#show();
  }

  /** Puts the cursor into the filter. */
  focus() {
    this.filter.focus();
  }

  #show() {
    const words = this.filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const text = (run) =>
      [run.id, run.game, run.preset, run.algorithm, run.value, run.step, run.state]
        .join(" ")
        .toLowerCase();
    const shown = this.runs.filter((run) => words.every((word) => text(run).includes(word)));
    const rows = shown.map((run) => this.#row(run));
    const same = rows.length === this.items.children.length;
    if (!same || rows.some((row, i) => row !== this.items.children[i])) fill(this.items, rows);
    const all = this.runs.length;
    this.count.textContent =
      shown.length === all ? `${all} runs` : `${shown.length} of ${all} runs`;
  }

  // Rows are kept, so that the focus stays where it is while runs go on.
  #row(run) {
    if (!this.rows.has(run.id)) this.rows.set(run.id, this.#newRow(run));
    const row = this.rows.get(run.id);
    row.box.checked = this.chosen.includes(run.id);
    row.element.classList.toggle("chosen", row.box.checked);
    row.state.textContent = STATES[run.state] ?? run.state;
    row.state.className = `chip state-${run.state}`;
    row.facts.textContent = facts(run);
    row.bar.value = run.episodes ? run.episode / run.episodes : 0;
    row.bar.hidden = run.state !== "learning";
    return row.element;
  }

  #newRow(run) {
    const box = h("input", { type: "checkbox", onchange: () => this.ontoggle(run.id) });
    const state = h("span", { class: "chip" });
    const figures = h("span", { class: "hint" });
    const bar = h("progress", { max: 1, "aria-label": `Progress of ${run.id}` });
    const name = h("span", { class: "run-name" }, run.id);
    const label = h("label", {}, box, h("span", { class: "run-text" }, name, figures, bar), state);
    return { element: h("li", {}, label), box, state, facts: figures, bar };
  }
}

function facts(run) {
  const figure = run.figure === null ? "" : `${run.protocol} ${plain(run.figure)} · `;
  return `${figure}${whole(run.episode)} episodes · ${ago(run.changed)}`;
}
