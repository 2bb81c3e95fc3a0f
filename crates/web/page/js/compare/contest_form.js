// The form that starts a match or a tournament.

import { get, post } from "../api.js";
import { GamePicker } from "../game_picker.js";
import { agentPicker } from "../agent_picker.js";
import { button, field, fill, h, select } from "../dom.js";

const OPENINGS = [
  ["start", "from the start"],
  ["random:2", "after 2 random moves"],
  ["random:4", "after 4 random moves"],
  ["all:1", "after every first move"],
  ["all:2", "after every two moves"],
];

/** Chooses game, agents and how many games; tells `onstart` the contest's number. */
export class ContestForm {
  constructor(onstart) {
    this.onstart = onstart;
    this.agents = [];
    this.gameSlot = h("div");
    this.pickers = h("div", { class: "contestants" });
    this.games = h("input", { type: "number", min: 2, max: 100000, value: 100 });
    this.openings = select(OPENINGS);
    this.seed = h("input", { type: "number", min: 0, value: 1 });
    this.answer = h("p", { class: "hint wrong", role: "alert" });
    this.more = button("Another agent", () => this.#add("random"), { look: "quiet" });
    this.element = h(
      "form",
      { class: "card part", onsubmit: (event) => this.#submit(event) },
      h("h2", {}, "Start a contest"),
      this.gameSlot,
      this.pickers,
      this.more,
      h(
        "div",
        { class: "settings" },
        field("Games for each pair", this.games),
        field("Openings", this.openings),
        field("Seed", this.seed),
      ),
      this.answer,
      h("button", { type: "submit", class: "primary" }, "Start"),
    );
  }

  /** Loads the games and the agents of the first. */
  async load() {
    const { games } = await get("games");
    const several = games.filter(({ players }) => players > 1);
    this.game = new GamePicker(several, "tictactoe", () => this.#loadAgents());
    fill(this.gameSlot, this.game.element);
    await this.#loadAgents();
  }

  async #loadAgents() {
    const game = this.game.value;
    const known = await get(`agents?game=${encodeURIComponent(game)}`);
    if (game !== this.game.value) return;
    this.known = known;
    const learned = this.known.values[0]?.agent;
    this.agents = [learned ?? this.known.adviser, "random"];
    this.#show();
  }

  #add(agent) {
    this.agents.push(agent);
    this.#show();
  }

  #show() {
    const picker = (agent, index) =>
      h(
        "div",
        { class: "contestant" },
        agentPicker(this.known, {
          label: `Agent ${index + 1}`,
          agent,
          onchange: (text) => {
            this.agents[index] = text;
          },
        }),
        this.agents.length > 2 ? this.#dropper(index) : null,
      );
    fill(this.pickers, this.agents.map(picker));
    this.more.disabled = this.agents.length >= 16;
  }

  #dropper(index) {
    const drop = () => {
      this.agents.splice(index, 1);
      this.#show();
    };
    return button("×", drop, { look: "quiet", "aria-label": `Leave out agent ${index + 1}` });
  }

  async #submit(event) {
    event.preventDefault();
    this.answer.textContent = "";
    try {
      const { contest } = await post("contests", {
        kind: this.agents.length > 2 ? "tournament" : "match",
        game: this.game.value,
        agents: this.agents,
        games: Number(this.games.value),
        openings: this.openings.value,
        seed: Number(this.seed.value),
      });
      this.onstart(contest);
    } catch (error) {
      this.answer.textContent = error.message;
    }
  }
}
