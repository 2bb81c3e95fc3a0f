// Games that were played while learning, to replay.

import { get, post } from "../api.js";
import { Board } from "../board.js";
import { button, fill, h } from "../dom.js";
import { plain } from "../format.js";
import { complain } from "../notice.js";
import { address } from "../router.js";

const PAGE = 12;

/** The sample games of a run, one of them on a board. */
export class SampleGames {
  constructor() {
    this.from = 0;
    this.list = h("ul", { class: "sample-list" });
    this.older = button("Earlier", () => this.#turn(-PAGE), { look: "quiet" });
    this.newer = button("Later", () => this.#turn(PAGE), { look: "quiet" });
    this.frame = h("div", { class: "sample-board" });
    this.board = new Board(this.frame, () => {});
    this.slider = h("input", {
      type: "range",
      min: 0,
      "aria-label": "Move shown",
      oninput: () => this.#show(),
    });
    this.caption = h("p", { class: "hint" });
    this.viewer = h("div", { class: "sample-viewer" }, this.frame, this.slider, this.caption);
    const pages = h("div", { class: "row" }, this.older, this.newer);
    const choice = h("div", {}, this.list, pages);
    const body = h("div", { class: "samples" }, choice, this.viewer);
    this.element = h(
      "details",
      { class: "sample-games" },
      h("summary", {}, "Games it played"),
      body,
    );
    this.element.addEventListener("toggle", () => this.element.open && this.#load());
  }

  /** Shows games of this run. */
  update(run) {
    if (run.id !== this.run?.id) {
      this.from = null;
      this.viewer.hidden = true;
    }
    this.run = run;
    if (this.element.open) this.#load();
  }

  #turn(by) {
    this.from = Math.max(0, (this.from ?? 0) + by);
    this.#load();
  }

  async #load() {
    const id = encodeURIComponent(this.run.id);
    try {
      const first = await get(`runs/${id}/games?from=${this.from ?? 0}&count=${PAGE}`);
      const last = Math.max(0, first.total - PAGE);
      // The latest games are the most telling: they are shown first.
      const reply =
        this.from === null && last > 0
          ? await get(`runs/${id}/games?from=${last}&count=${PAGE}`)
          : first;
      this.from ??= last;
      this.older.disabled = this.from === 0;
      this.newer.disabled = this.from + PAGE >= reply.total;
      fill(
        this.list,
        reply.games.map((game) => this.#entry(game)),
      );
    } catch (error) {
      complain(error);
    }
  }

  #entry(game) {
    const moves = game.played.filter((text) => !text.startsWith("(")).length;
    const gains = game.rewards.map(plain).join(" : ");
    const text = `Game ${game.number + 1} · ${moves} moves · ${gains}`;
    return h(
      "li",
      {},
      button(text, () => this.#open(game), { look: "link" }),
    );
  }

  #open(game) {
    this.game = game;
    this.viewer.hidden = false;
    this.slider.max = game.played.length;
    this.slider.value = game.played.length;
    this.#show();
  }

  async #show() {
    const { game: name, start, played } = this.game;
    const count = Number(this.slider.value);
    const request = { game: name, start, played: played.slice(0, count), seed: 1 };
    try {
      const position = await post("position", request);
      if (count !== Number(this.slider.value)) return;
      this.board.show(position, { open: false, lively: false });
      const link = address("inside", [
        ["game", name],
        ["start", start],
        ["moves", played.length ? played.join(",") : null],
      ]);
      const end = position.over ? `: ${position.outcome}` : "";
      const text = `Move ${count} of ${played.length}${end} `;
      fill(this.caption, text, h("a", { href: link }, "Look inside"));
    } catch (error) {
      complain(error);
    }
  }
}
