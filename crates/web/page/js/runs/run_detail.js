// One run: how far it is, what it does, and what its weights look like.

import { get, listen, post } from "../api.js";
import { histogram } from "../chart.js";
import { button, fill, h } from "../dom.js";
import { interval, plain, span, whole } from "../format.js";
import { complain, toast } from "../notice.js";
import { address } from "../router.js";
import { SampleGames } from "./sample_games.js";

/** Everything about the run that was chosen last. */
export class RunDetail {
  #unlisten = () => {};
  #looked = 0;

  constructor() {
    this.run = null;
    this.title = h("h2");
    this.progress = h("progress", { max: 1, "aria-label": "Progress" });
    this.facts = h("dl", { class: "run-facts" });
    this.tools = h("div", { class: "row" });
    this.weights = h("div", { class: "weights" });
    this.games = new SampleGames();
    this.element = h(
      "section",
      { class: "card part", "aria-label": "The run" },
      h("div", { class: "curves-head" }, this.title, this.tools),
      this.progress,
      this.facts,
      this.weights,
      this.games.element,
    );
  }

  /** Shows a run as the list knows it; listens closely to one that learns. */
  update(run) {
    const other = run?.id !== this.run?.id;
    const changed = other || run?.state !== this.run?.state || this.#isOld(run);
    this.run = run;
    if (!run) {
      this.close();
      return;
    }
    if (other) this.#follow();
    this.#show(run);
    if (!changed) return;
    this.#looked = Date.now();
    this.#showWeights();
    this.games.update(run);
  }

  // Weights may be many: they are read now and then, not whenever some were touched.
  #isOld(run) {
    return run?.state === "learning" && Date.now() - this.#looked > 10_000;
  }

  #follow() {
    this.close();
    const path = `runs/${encodeURIComponent(this.run.id)}/events?from=1000000000`;
    this.#unlisten = listen(path, {
      progress: (now) => this.#show({ ...this.run, ...now }),
    });
  }

  #show(run) {
    this.title.textContent = run.id;
    this.progress.hidden = run.state === "finished";
    this.progress.value = run.episodes ? run.episode / run.episodes : 0;
    const fact = (name, text) => h("div", {}, h("dt", {}, name), h("dd", {}, text));
    const learns = run.state === "learning";
    fill(
      this.facts,
      fact("State", run.measuring ? "measuring" : run.state),
      fact("Episodes", `${whole(run.episode)} of ${whole(run.episodes)}`),
      run.per_second === null ? null : fact("Episodes per second", plain(run.per_second)),
      learns ? fact("Time left", span(run.left)) : null,
      run.figure === null ? null : fact(strength(run), figure(run)),
      ...run.also.map((other) => fact(strength(other), figure(other))),
      fact("Weights touched", `${whole(run.touched)} of ${whole(run.weights)}`),
      fact("Learns by", `${run.algorithm}, ${run.value}, ${run.step}`),
      run.reason ? fact("Reason", run.reason) : null,
    );
    this.#showTools(run);
  }

  #showTools(run) {
    const id = encodeURIComponent(run.id);
    const ask = (what, text, body = {}) => {
      return () => post(`runs/${id}/${what}`, body).then(() => toast(text), complain);
    };
    const twice = { episodes: 2 * run.episodes };
    const agent = `greedy:${run.id}`;
    const versus = address("play", [
      ["game", run.game],
      ["seat", "human"],
      ["seat", agent],
    ]);
    const wanted = `${run.id} ${run.state} ${run.has_value}`;
    if (this.tools.dataset.for === wanted) return;
    this.tools.dataset.for = wanted;
    fill(
      this.tools,
      run.state === "learning"
        ? button("Stop", ask("stop", "It stops after this game."), { look: "danger" })
        : null,
      run.state === "stopped" ? button("Resume", ask("resume", "Training continues.")) : null,
      run.state === "finished"
        ? button("Continue training", ask("resume", "Training continues.", twice))
        : null,
      run.has_value ? h("a", { class: "button", href: versus }, "Play against it") : null,
    );
  }

  async #showWeights() {
    const { id, has_value: saved } = this.run;
    if (!saved) {
      fill(this.weights);
      return;
    }
    try {
      const reply = await get(`runs/${encodeURIComponent(id)}/weights`);
      if (id !== this.run?.id) return;
      const part = (title, data) =>
        data ? h("figure", {}, h("figcaption", {}, title), histogram(data, title)) : null;
      const rates = `Step sizes (${reply.rates_of ?? "rates"}): a histogram over all weights`;
      fill(this.weights, part("Weights", reply.weights), part(rates, reply.rates));
    } catch (error) {
      complain(error);
    }
  }

  /** Stops listening. */
  close() {
    this.#unlisten();
    this.#unlisten = () => {};
  }
}

function strength(run) {
  return `${run.measures ?? "Strength"} (${run.protocol})`;
}

function figure(run) {
  const range = interval(run.low, run.high);
  return range ? `${plain(run.figure)} (${range})` : plain(run.figure);
}
