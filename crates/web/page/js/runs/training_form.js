// Starting a training: the game, settings that have a name, and everything that can be changed.

import { get, post } from "../api.js";
import { GamePicker } from "../game_picker.js";
import { button, field, fill, h } from "../dom.js";
import { complain, toast } from "../notice.js";
import { parseSpec } from "../spec.js";
import { schemaForm } from "./schema_form.js";

/** Opens the sheet from which a training is started; `onstart` gets the run. */
export async function openTrainingForm(onstart) {
  try {
    const [{ games }, schema] = await Promise.all([get("games"), get("schema")]);
    const known = games.filter(({ presets }) => presets.length > 0);
    new TrainingForm(known, schema, onstart).open();
  } catch (error) {
    complain(error);
  }
}

class TrainingForm {
  constructor(games, schema, onstart) {
    this.schema = schema;
    this.onstart = onstart;
    this.config = null;
    const text = (attributes) => h("input", { type: "text", autocomplete: "off", ...attributes });
    const number = (attributes) => h("input", { type: "number", ...attributes });
    this.game = new GamePicker(games, "tictactoe", () => this.#loadPresets());
    this.preset = h("select", { name: "preset", onchange: () => this.#showPreset() });
    this.about = h("p", { class: "hint" });
    this.episodes = number({ name: "episodes", min: 1, placeholder: "as the preset" });
    this.seed = number({ name: "seed", min: 0, value: 1 });
    this.every = number({ name: "every", min: 1, placeholder: "a twentieth" });
    this.evaluation = text({ name: "evaluation", placeholder: "the game's standard protocol" });
    this.name = text({ name: "name", placeholder: "by itself" });
    this.settings = h("div");
    this.answer = h("p", { class: "hint wrong", role: "alert" });
    this.dialog = this.#sheet();
  }

  #sheet() {
    const close = () => this.dialog.close();
    const start = h("button", { type: "submit", class: "primary" }, "Start");
    const basics = h(
      "div",
      { class: "settings" },
      this.game.element,
      field("Preset", this.preset),
      field("Episodes", this.episodes, "games to learn from"),
      field("Seed", this.seed, "random seed"),
      field("Measure every", this.every, "episodes"),
      field("Evaluation", this.evaluation, "protocol, protocol:games or none"),
      field("Name", this.name, "of the run's folder"),
    );
    const all = h("details", {}, h("summary", {}, "All settings"), this.settings);
    return h(
      "dialog",
      {
        class: "sheet wide",
        "aria-labelledby": "training-title",
        onclose: () => this.dialog.remove(),
      },
      h("h2", { id: "training-title" }, "Start a training"),
      h(
        "form",
        { class: "training", onsubmit: (event) => this.#submit(event) },
        basics,
        this.about,
        all,
        this.answer,
        h("div", { class: "sheet-end" }, button("Cancel", close), start),
      ),
    );
  }

  async open() {
    document.body.append(this.dialog);
    this.dialog.showModal();
    await this.#loadPresets();
  }

  async #loadPresets() {
    try {
      const { name } = parseSpec(this.game.value);
      const { presets } = await get(`presets?game=${encodeURIComponent(name)}`);
      this.presets = presets;
      fill(
        this.preset,
        presets.map(({ name }) => h("option", { value: name }, name)),
      );
      if (presets.some(({ name }) => name === "default")) this.preset.value = "default";
      this.#showPreset();
    } catch (error) {
      this.answer.textContent = error.message;
    }
  }

  #showPreset() {
    const preset = this.presets.find(({ name }) => name === this.preset.value);
    if (!preset) return;
    this.about.textContent = [preset.about, preset.source].filter(Boolean).join(" ");
    this.episodes.placeholder = preset.config.episodes ?? "as the preset";
    this.config = null;
    const skipped = ["game", "episodes"];
    const form = schemaForm(this.schema, structuredClone(preset.config), skipped, (config) => {
      this.config = config;
    });
    fill(this.settings, form);
  }

  async #submit(event) {
    event.preventDefault();
    const given = (input) => input.value.trim() || null;
    const count = (input) => (input.value === "" ? null : Number(input.value));
    this.answer.textContent = "";
    try {
      const { run } = await post("runs", {
        game: this.game.value,
        // Settings laid over a preset could hold two alternatives at once.
        preset: this.config ? null : this.preset.value,
        config: this.config && withoutNothing(this.config),
        episodes: count(this.episodes),
        seed: count(this.seed),
        every: count(this.every),
        evaluation: given(this.evaluation),
        name: given(this.name),
      });
      this.dialog.close();
      toast(`${run} learns.`);
      this.onstart(run);
    } catch (error) {
      this.answer.textContent = error.message;
    }
  }
}

/** The same without entries that hold nothing: a configuration leaves them out. */
function withoutNothing(value) {
  if (Array.isArray(value)) return value.map(withoutNothing);
  if (typeof value !== "object") return value;
  const held = Object.entries(value).filter(([, each]) => each !== null);
  return Object.fromEntries(held.map(([key, each]) => [key, withoutNothing(each)]));
}
