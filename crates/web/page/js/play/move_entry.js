// Moves by name: buttons for those that no cell means, and a line to type into.

import { button, fill, freshId, h } from "../dom.js";
import { value } from "../format.js";
import { complain } from "../notice.js";

/** Lets a person type a move or press its button. */
export class MoveEntry {
  constructor(session, play) {
    this.session = session;
    this.play = play;
    this.buttons = h("div", { class: "move-buttons" });
    const list = freshId("legal");
    this.input = h("input", {
      type: "text",
      name: "move",
      list,
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      placeholder: "Type a move",
      "aria-label": "Type a move",
    });
    this.options = h("datalist", { id: list });
    this.form = h(
      "form",
      { class: "typed", onsubmit: (event) => this.#submit(event) },
      this.input,
      this.options,
      h("button", { type: "submit" }, "Play"),
    );
    this.element = h("div", { class: "move-entry" }, this.buttons, this.form);
  }

  async #submit(event) {
    event.preventDefault();
    const text = this.input.value.trim();
    if (!text) return;
    try {
      await this.session.play(text);
      this.input.value = "";
    } catch (error) {
      complain(error);
    }
  }

  /** Offers what may be played now. */
  update() {
    const { position, humanTurn, running } = this.session;
    const open = !position.over && (humanTurn || !running);
    const named = position.legal.filter(({ id }) => !position.svg.includes(`data-move="${id}"`));
    const offered = open ? named : [];
    fill(
      this.options,
      position.legal.map(({ text }) => h("option", { value: text })),
    );
    fill(
      this.buttons,
      offered.map((move) => this.#button(move)),
    );
    this.buttons.hidden = offered.length === 0;
    this.input.disabled = !open;
  }

  #button({ id, text }) {
    const look = "move-button";
    return button([h("span", {}, text)], () => this.play(text), { look, "data-move": id });
  }

  /** Writes what each move is worth beside its button. */
  showValues(study) {
    for (const each of this.buttons.children) {
      each.querySelector(".worth")?.remove();
      const move = study?.moves.find(({ id }) => String(id) === each.dataset.move);
      if (!move || move.value === null) continue;
      each.append(h("small", { class: `worth ${move.best ? "best" : ""}` }, value(move.value)));
    }
  }

  /** Puts the cursor into the line. */
  focus() {
    this.input.focus();
  }
}
