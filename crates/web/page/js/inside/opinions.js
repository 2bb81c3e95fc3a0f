// Two agents' opinions of the same position, side by side.

import { post } from "../api.js";
import { agentPicker, firstOpinions } from "../agent_picker.js";
import { button, fill, h, table } from "../dom.js";
import { value } from "../format.js";
import { complain } from "../notice.js";
import { shading } from "./heat.js";

/** Asks two agents about the position. */
export class Opinions {
  #isOpen = false;
  #asked = null;

  constructor(session) {
    this.session = session;
    const first = firstOpinions(session.agents);
    const another = first.find((agent) => agent !== first[0]) ?? first[0];
    this.agents = [first[0], another];
    this.live = false;
    this.result = h("div", { class: "opinions" });
    const picker = (index) =>
      agentPicker(session.agents, {
        label: index === 0 ? "One" : "Another",
        agent: this.agents[index],
        opinion: true,
        onchange: (agent) => {
          this.agents = this.agents.with(index, agent);
          if (this.live) this.#ask();
        },
      });
    const start = button("Compare them here", () => {
      this.live = true;
      this.#ask();
    });
    const pair = h("div", { class: "pair" }, picker(0), picker(1));
    this.element = h("div", {}, pair, h("p", { class: "row" }, start), this.result);
  }

  /** Works only while it is looked at. */
  open(isOpen) {
    this.#isOpen = isOpen;
    if (!isOpen) this.#asked?.abort();
  }

  /** Follows the session. */
  update(reason) {
    if (this.live && this.#isOpen && reason !== "seats" && reason !== "running") this.#ask();
  }

  async #ask() {
    this.#asked?.abort();
    if (this.session.position.over) {
      fill(this.result, h("p", { class: "hint" }, "The game is over."));
      return;
    }
    this.#asked = new AbortController();
    try {
      const request = { ...this.session.request(), agents: this.agents };
      fill(this.result, this.#table(await post("opinions", request, this.#asked.signal)));
    } catch (error) {
      complain(error);
    }
  }

  #table({ opinions, agree, moves }) {
    const known = moves.flatMap((move) => move.values).filter((each) => each !== null);
    const shade = shading(known);
    const cell = (text, number, best) => {
      const chip = h("span", { class: "value-chip" }, text);
      if (number !== null) chip.style.backgroundColor = shade(number);
      return h("td", { class: best ? "best" : "" }, chip);
    };
    const order = (a, b) => (b.spread ?? 0) - (a.spread ?? 0);
    const row = (move) =>
      h(
        "tr",
        {},
        h("th", { scope: "row" }, move.text),
        move.values.map((each, i) => cell(value(each), each, opinions[i].best === move.text)),
        h("td", {}, move.spread === null ? "–" : value(move.spread).replace("+", "")),
      );
    const heads = ["Move", ...opinions.map((each) => each.agent), "Apart"];
    const verdict = agree
      ? `Both would play ${opinions[0].best}.`
      : `They would play ${opinions.map((each) => each.best).join(" and ")}.`;
    return [
      h("p", { class: agree ? "verdict agree" : "verdict" }, verdict),
      h(
        "div",
        { class: "scrolls", tabindex: "0", role: "region", "aria-label": "Opinions" },
        table(heads, [...moves].sort(order).map(row)),
      ),
    ];
  }
}
