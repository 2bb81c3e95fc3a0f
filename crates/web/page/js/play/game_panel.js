// Who plays, what was played, and how the game is set.

import { agentPicker } from "../agent_picker.js";
import { button, field, fill, h } from "../dom.js";
import { address } from "../router.js";
import { settingsForm } from "../settings_form.js";
import { parseSpec, writeSpec } from "../spec.js";
import { MoveList } from "./move_list.js";
import { openSetup } from "./setup.js";
import { playerChip } from "./status.js";

/** The panel beside the board while playing. */
export class GamePanel {
  constructor(session) {
    this.session = session;
    this.seats = h("div", { class: "seats" });
    this.moves = new MoveList(session);
    this.element = h(
      "div",
      { class: "panel-parts" },
      h("section", {}, h("h2", {}, "Players"), this.seats, this.#pace()),
      h("section", {}, h("h2", {}, "Moves"), this.moves.element),
      h("section", {}, h("h2", {}, "The game"), this.#settings(), this.#more()),
    );
  }

  #pace() {
    const { session } = this;
    const shown = h("output", {}, paceText(session.pace));
    const slider = h("input", {
      type: "range",
      min: 0,
      max: 3,
      step: 0.1,
      value: session.pace,
      oninput: (event) => {
        session.setPace(Number(event.target.value));
        shown.textContent = paceText(session.pace);
      },
    });
    return field(["Pause before an agent moves: ", shown], slider);
  }

  #settings() {
    const { info, game } = this.session;
    if (info.settings.length === 0) return null;
    const { settings } = parseSpec(game);
    let wanted = settings;
    const form = settingsForm(info.settings, settings, (values) => {
      wanted = values;
      apply.disabled = false;
    });
    const apply = button("Play with these", () => {
      location.hash = address("play", [["game", writeSpec(info.name, wanted)]]);
    });
    apply.disabled = true;
    return h("details", {}, h("summary", {}, "Settings of the game"), form, apply);
  }

  #more() {
    const setup = () => openSetup(this.session);
    return h(
      "p",
      { class: "row" },
      button("Set up a position", setup, { look: "quiet", title: "Set up a position (e)" }),
    );
  }

  /** Follows the session. */
  update(reason) {
    const stale = this.shown?.join() !== this.session.seats.join();
    if (reason === "opened" || stale) this.#showSeats();
    this.moves.update();
  }

  #showSeats() {
    const { session } = this;
    this.shown = session.seats;
    const one = session.seats.length === 1;
    const seat = (agent, index) =>
      h(
        "div",
        { class: "seat" },
        one ? null : playerChip(index + 1),
        agentPicker(session.agents, {
          label: one ? "Player" : `Player ${index + 1}`,
          agent,
          human: true,
          onchange: (text) => this.#seat(index, text),
        }),
      );
    fill(this.seats, session.seats.map(seat));
  }

  // The pickers show the choice already; drawing them again would take the focus away.
  #seat(index, text) {
    this.shown = this.shown.with(index, text);
    this.session.seat(index, text);
  }
}

function paceText(seconds) {
  return seconds === 0 ? "none" : `${seconds.toFixed(1)} s`;
}
