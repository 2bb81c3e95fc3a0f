// The settings of several runs side by side, with their differences marked.

import { get, query } from "../api.js";
import { check, fill, h, table } from "../dom.js";
import { complain } from "../notice.js";

/** The settings of the chosen runs. */
export class SettingsTable {
  #shown = "";

  constructor() {
    this.only = false;
    this.body = h("div", { class: "scrolls settings-scroll", tabindex: "0", role: "region" });
    this.body.setAttribute("aria-label", "Settings side by side");
    const onchange = (event) => {
      this.only = event.target.checked;
      this.#draw();
    };
    this.filter = check("Only what differs", { onchange });
    const head = h("div", { class: "curves-head" }, h("h2", {}, "Settings"), this.filter);
    this.element = h("section", { class: "card part", "aria-label": "Settings" }, head, this.body);
  }

  /** Shows the settings of these runs. */
  async update(ids) {
    if (ids.length === 0 || ids.join() === this.#shown) return;
    this.#shown = ids.join();
    try {
      this.reply = await get(`settings?${query(ids.map((id) => ["run", id]))}`);
      this.filter.hidden = ids.length < 2;
      this.#draw();
    } catch (error) {
      complain(error);
    }
  }

  #draw() {
    const { runs, settings } = this.reply;
    const shown = settings.filter(({ differs }) => differs || !this.only || runs.length < 2);
    const row = ({ key, values, differs }) =>
      h(
        "tr",
        { class: differs ? "differs" : "" },
        h(
          "th",
          { scope: "row" },
          key,
          differs ? h("span", { class: "unseen" }, " (differs)") : null,
        ),
        values.map((text) => h("td", {}, text === null ? "–" : h("code", {}, text))),
      );
    fill(this.body, table(["Setting", ...runs], shown.map(row)));
  }
}
