// Which n-tuples a learned value consists of here, drawn on the board.

import { post } from "../api.js";
import { field, fill, h, select } from "../dom.js";
import { percent, value, whole } from "../format.js";
import { tupleShape } from "./heat.js";

/** The n-tuples that contribute most to a run's value of the position. */
export class Tuples {
  #isOpen = false;
  #asked = null;

  constructor(session, board) {
    this.session = session;
    this.board = board;
    this.run = session.agents.values[0]?.run ?? null;
    this.result = h("div", { class: "tuples" });
    const options = session.agents.values.map(({ run, title }) => [run, title]);
    const choice = select(options, {
      onchange: (event) => {
        this.run = event.target.value;
        this.#ask();
      },
    });
    const none = "There is no trained value of this game yet. Train one on the page Watch.";
    this.element = this.run
      ? h("div", {}, field("Learned value", choice), this.result)
      : h("p", { class: "hint" }, none);
  }

  /** Works only while it is looked at. */
  open(isOpen) {
    this.#isOpen = isOpen;
    if (isOpen) this.#ask();
    else this.#clear();
  }

  /** Follows the session. */
  update(reason) {
    if (reason !== "seats" && reason !== "running") this.#ask();
  }

  #clear() {
    this.#asked?.abort();
    this.board.overlay("tuples", []);
  }

  async #ask() {
    this.#clear();
    if (!this.run || !this.#isOpen) return;
    if (this.session.position.over) {
      fill(this.result, h("p", { class: "hint" }, "The game is over."));
      return;
    }
    this.#asked = new AbortController();
    const request = { ...this.session.request(), run: this.run, count: 10 };
    try {
      this.#show(await post("tuples", request, this.#asked.signal));
    } catch (error) {
      if (error.name !== "AbortError") fill(this.result, h("p", { class: "hint" }, error.message));
    }
  }

  #show(reply) {
    const about =
      `${whole(reply.of)} tuples sum up to ${value(reply.sum)}; ` +
      `the value is ${value(reply.value)} to player ${reply.player}.`;
    const most = Math.max(...reply.tuples.map(({ weight }) => Math.abs(weight)), 1e-9);
    fill(
      this.result,
      h("p", { class: "hint" }, about),
      h(
        "ul",
        { class: "tuple-list" },
        reply.tuples.map((tuple) => this.#entry(tuple, most)),
      ),
    );
  }

  #entry(tuple, most) {
    const bar = h("span", { class: `tuple-bar ${tuple.weight < 0 ? "against" : "for"}` });
    bar.style.width = `${(100 * Math.abs(tuple.weight)) / most}%`;
    const draw = () => this.board.overlay("tuples", tupleShape(this.board, tuple));
    const clear = () => this.board.overlay("tuples", []);
    const leave = (event) => event.pointerType === "mouse" && clear();
    const point = () => {
      draw();
      this.board.reveal();
    };
    return h(
      "li",
      {},
      h(
        "button",
        {
          type: "button",
          class: "tuple",
          "aria-label": `Tuple ${tuple.tuple}: ${value(tuple.weight)}; show it on the board`,
          onclick: point,
          onfocus: draw,
          onpointerenter: draw,
          onpointerleave: leave,
          onblur: clear,
        },
        h("span", { class: "tuple-name" }, `#${tuple.tuple}`),
        h("span", { class: "tuple-track" }, bar),
        h("span", { class: "tuple-weight" }, value(tuple.weight)),
        h("span", { class: "tuple-share" }, percent(tuple.share)),
      ),
    );
  }
}
