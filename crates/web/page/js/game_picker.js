// The choice of a game, with its settings.

import { field, fill, h, select } from "./dom.js";
import { settingsForm } from "./settings_form.js";
import { writeSpec } from "./spec.js";

/** A choice among `games`; `onchange` gets the game's text. Holds it as `value`, too. */
export class GamePicker {
  constructor(games, first, onchange) {
    this.games = games;
    this.value = first;
    this.onchange = onchange;
    this.choice = select(
      games.map(({ name, title }) => [name, title]),
      { name: "game", value: first, onchange: (event) => this.#use(event.target.value) },
    );
    this.details = h("div");
    this.element = h("div", { class: "agent-picker" }, field("Game", this.choice), this.details);
    this.#showSettings();
  }

  #use(name) {
    this.value = name;
    this.#showSettings();
    this.onchange(this.value);
  }

  #showSettings() {
    const { name, settings } = this.games.find((game) => game.name === this.choice.value);
    const form = settingsForm(settings, {}, (values) => {
      this.value = writeSpec(name, values);
      this.onchange(this.value);
    });
    const folded = h("details", {}, h("summary", {}, "Settings of the game"), form);
    fill(this.details, settings.length ? folded : null);
  }
}
