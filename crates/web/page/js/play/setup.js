// Setting up a position: by pointing at cells, by numbers, or as text.

import { post } from "../api.js";
import { dress } from "../board.js";
import { button, field, fill, h, select } from "../dom.js";
import { readState } from "./state_text.js";

/** Opens the sheet on which a position is set up. */
export function openSetup(session) {
  new Setup(session).open();
}

class Setup {
  constructor(session) {
    this.session = session;
    this.line = h("textarea", {
      rows: 2,
      spellcheck: "false",
      autocomplete: "off",
      oninput: () => this.#show(),
    });
    this.board = h("div", { class: "setup-board" });
    this.tools = h("div", { class: "setup-tools" });
    this.answer = h("p", { class: "hint", role: "status" });
    this.use = button("Play from here", () => this.#finish(), { look: "primary" });
    const close = () => this.dialog.close();
    this.dialog = h(
      "dialog",
      { class: "sheet wide", "aria-labelledby": "setup-title", onclose: () => this.#remove() },
      h("h2", { id: "setup-title" }, "Set up a position"),
      h("p", { class: "hint" }, "Point at a cell to change what stands there, or write the state."),
      this.board,
      this.tools,
      field("State", this.line),
      this.answer,
      h("div", { class: "sheet-end" }, button("Cancel", close), this.use),
    );
  }

  #remove() {
    this.dialog.remove();
  }

  open() {
    const { position } = this.session;
    document.body.append(this.dialog);
    this.dialog.showModal();
    this.line.value = position.state;
    this.#draw(position);
    this.#show();
  }

  async #show() {
    const start = this.line.value.trim();
    const { game, seed } = this.session;
    this.#showTools();
    try {
      const position = await post("position", { game, start, played: [], seed });
      if (start !== this.line.value.trim()) return;
      this.#draw(position);
      this.#say(position.over ? position.outcome : `Player ${position.turn} to move.`, true);
    } catch (error) {
      if (start === this.line.value.trim()) this.#say(error.message, false);
    }
  }

  #say(text, good) {
    this.answer.textContent = text;
    this.answer.classList.toggle("wrong", !good);
    this.use.disabled = !good;
  }

  #draw(position) {
    const svg = dress(position);
    fill(this.board, svg);
    const state = readState(this.line.value);
    const cells = [...svg.querySelectorAll(".cell")];
    if (state.cells.length !== cells.length) return;
    cells.forEach((cell) => this.#editable(cell));
  }

  #editable(cell) {
    const number = Number(cell.dataset.cell);
    cell.classList.add("open");
    cell.setAttribute("role", "button");
    cell.setAttribute("tabindex", "0");
    cell.setAttribute("aria-label", `Cell ${number + 1}: ${cell.dataset.piece ?? "empty"}`);
    const change = () => {
      this.line.value = readState(this.line.value).changed(number);
      this.#show();
    };
    cell.addEventListener("click", change);
    cell.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      change();
    });
  }

  #showTools() {
    const state = readState(this.line.value);
    const heap = (count, index) => {
      const onchange = (event) => {
        this.line.value = readState(this.line.value).withHeap(index, event.target.value);
        this.#show();
      };
      const input = h("input", { type: "number", min: 0, value: count, onchange });
      return field(`Heap ${index + 1}`, input);
    };
    const moverChoice = () => {
      const options = state.movers.map((mover, index) => [mover, `Player ${index + 1} to move`]);
      const onchange = (event) => {
        this.line.value = readState(this.line.value).withMover(event.target.value);
        this.#show();
      };
      return field("Turn", select(options, { value: state.mover, onchange }));
    };
    fill(this.tools, state.heaps.map(heap), state.mover ? moverChoice() : null);
  }

  async #finish() {
    try {
      await this.session.setUp(this.line.value.trim());
      this.dialog.close();
    } catch (error) {
      this.#say(error.message, false);
    }
  }
}
