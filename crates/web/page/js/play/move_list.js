// The moves of the game so far; pointing at one shows the position after it.

import { fill, h } from "../dom.js";
import { complain } from "../notice.js";

const MARKS = { slip: "?!", mistake: "?", blunder: "??" };

/** The list of moves, in rounds. */
export class MoveList {
  constructor(session) {
    this.session = session;
    this.marks = new Map();
    this.element = h("ol", { class: "moves scrolls", tabindex: "0", "aria-label": "Moves" });
  }

  /** Shows the moves, and marks those that were mistakes. */
  update(marks = this.marks) {
    this.marks = marks;
    const { position, undone, start } = this.session;
    const later = undone.map((text) => ({ text, player: text.startsWith("(") ? null : 0 }));
    const all = [...position.plies, ...later];
    const rounds = group(all, position.players);
    const row = (round) =>
      h(
        "li",
        {},
        round.map((entry) => this.#entry(entry)),
      );
    const none = start === null ? "No move yet." : "No move yet; the position was set up.";
    const empty = h("li", { class: "hint" }, none);
    fill(this.element, all.length ? rounds.map(row) : empty);
    const here = this.element.querySelector("[aria-current]");
    if (here) this.element.scrollTop = here.offsetTop - this.element.clientHeight / 2;
  }

  #entry({ index, text, player }) {
    const count = this.session.position.played.length;
    if (player === null) return h("span", { class: "event" }, text);
    const mark = this.marks.get(index);
    const label = mark ? `${text}, a ${mark}` : text;
    return h(
      "button",
      {
        type: "button",
        class: `move ${index >= count ? "later" : ""} ${mark ?? ""}`,
        "aria-current": index === count - 1 ? "step" : null,
        "aria-label": label,
        onclick: () => this.session.goTo(index + 1).catch(complain),
      },
      text,
      mark ? h("b", { class: "mark" }, MARKS[mark]) : null,
    );
  }
}

/** Rounds: as many moves as there are players, with what chance drew between them. */
function group(plies, players) {
  const rounds = [];
  let moves = 0;
  plies.forEach((ply, index) => {
    if (rounds.length === 0 || (ply.player !== null && moves % players === 0 && moves > 0)) {
      rounds.push([]);
    }
    rounds.at(-1).push({ ...ply, index });
    if (ply.player !== null) moves += 1;
  });
  return rounds;
}
