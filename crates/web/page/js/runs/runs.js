// Watch: the runs in the folder, live.

import { get, listen } from "../api.js";
import { fill, h } from "../dom.js";
import { bindKeys } from "../keys.js";
import { address, showAddress } from "../router.js";
import { Curves } from "./curves.js";
import { RunDetail } from "./run_detail.js";
import { RunList } from "./run_list.js";
import { SettingsTable } from "./settings_table.js";
import { openTrainingForm } from "./training_form.js";

const MOST = 8;

/** Opens the view of all runs. */
export async function openRuns(main, route) {
  const view = new RunsView(main, route.query.getAll("run"));
  return { close: () => view.close(), follow: (next) => view.follow(next) };
}

class RunsView {
  constructor(main, chosen) {
    this.runs = [];
    this.chosen = chosen;
    this.list = new RunList({
      ontoggle: (id) => this.#toggle(id),
      onstart: () => this.#start(),
    });
    this.curves = new Curves();
    this.settings = new SettingsTable();
    this.detail = new RunDetail();
    this.content = h("div", { class: "runs-content" });
    const hero = h(
      "header",
      { class: "hero" },
      h("h1", {}, "Watch it learn"),
      h("p", {}, "Every run in the folder, as it happens. Choose several to compare them."),
    );
    const body = h("div", { class: "runs" }, this.list.element, this.content);
    main.replaceChildren(h("div", { class: "page" }, hero, body));
    this.unlisten = listen("runs/events", { runs: ({ runs }) => this.#take(runs) });
    this.unbind = bindKeys("Watching", [
      ["f", "filter the runs", () => this.list.focus()],
      ["a", "start a training", () => this.#start()],
      ["x", "choose no run", () => this.#choose([])],
    ]);
    get("runs").then(({ runs }) => this.#take(runs));
  }

  #take(runs) {
    this.runs = runs;
    if (!this.chosen.length && runs.length && !this.touched) this.#choose([runs[0].id]);
    this.#show();
  }

  #toggle(id) {
    this.touched = true;
    const without = this.chosen.filter((each) => each !== id);
    const more = [...this.chosen, id].slice(-MOST);
    this.#choose(without.length < this.chosen.length ? without : more);
  }

  #choose(chosen) {
    this.touched ||= chosen.length === 0;
    this.chosen = chosen;
    showAddress(
      address(
        "runs",
        chosen.map((id) => ["run", id]),
      ),
    );
    this.#show();
  }

  #show() {
    const known = this.chosen.filter((id) => this.runs.some((run) => run.id === id));
    const runs = known.map((id) => this.runs.find((run) => run.id === id));
    this.list.update(this.runs, this.chosen);
    this.curves.update(runs);
    this.settings.update(known);
    this.detail.update(runs.at(-1) ?? null);
    const parts = [this.curves.element, this.detail.element, this.settings.element];
    const shown = runs.length ? parts : [this.#empty()];
    if (this.content.firstChild !== shown[0]) fill(this.content, shown);
  }

  #empty() {
    this.nothing ??= h("div", { class: "card empty" });
    const text = this.runs.length
      ? "Choose a run to see how it learned."
      : "There is no run yet. Start a training: TicTacToe takes a few seconds.";
    return fill(this.nothing, h("p", {}, text));
  }

  #start() {
    openTrainingForm((id) => {
      this.touched = true;
      this.#choose([...this.chosen.filter((each) => each !== id), id].slice(-MOST));
    });
  }

  /** Follows the address to other runs. */
  follow(route) {
    this.#choose(route.query.getAll("run"));
    return true;
  }

  close() {
    this.unlisten();
    this.unbind();
    this.detail.close();
  }
}
