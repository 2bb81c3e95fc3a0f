// Every move with what an agent thinks it is worth.

import { h, table } from "../dom.js";
import { plain, value, whole } from "../format.js";
import { complain } from "../notice.js";
import { shading } from "./heat.js";

const MOST = 12;

/** A table of a study, or a word of patience. */
export function studyTable(study, session) {
  if (!study) return h("p", { class: "hint" }, "Thinking …");
  if (study.moves.length === 0) return h("p", { class: "hint" }, "The game is over.");
  return [summary(study), line(study), movesTable(study, session)];
}

function summary(study) {
  const fact = (name, text) => [h("dt", {}, name), h("dd", {}, text)];
  return h(
    "dl",
    { class: "facts-list" },
    fact("Best", study.best ?? "–"),
    fact("Worth", value(study.value)),
    study.visits === null ? null : fact("Lines tried", whole(study.visits)),
    study.depth === null ? null : fact("Moves ahead", whole(study.depth)),
    fact("Took", study.seconds < 0.01 ? "no time" : `${plain(study.seconds)} s`),
  );
}

function line(study) {
  if (!study.line?.length) return null;
  const step = (text) => h("li", {}, text);
  return [h("h3", {}, "Expected line"), h("ol", { class: "line-of-play" }, study.line.map(step))];
}

function movesTable(study, session) {
  const order = (a, b) => (b.value ?? -Infinity) - (a.value ?? -Infinity);
  const moves = [...study.moves].sort(order);
  const values = moves.filter((move) => move.value !== null).map((move) => move.value);
  if (values.length === 0) return h("p", { class: "hint" }, "This agent does not rate moves.");
  const shade = shading(values);
  const visits = study.moves.some((move) => move.visits !== null);
  const most = Math.max(1, ...study.moves.map((move) => move.visits ?? 0));
  const row = (move) => {
    const chip = h("span", { class: "value-chip" }, value(move.value));
    if (move.value !== null) chip.style.backgroundColor = shade(move.value);
    return h(
      "tr",
      { class: move.best ? "best" : "" },
      h("th", { scope: "row" }, playButton(move, session)),
      h("td", {}, chip),
      visits ? h("td", {}, visitBar(move.visits, most)) : null,
    );
  };
  const heads = ["Move", "Value", visits ? "Visits" : null].filter(Boolean);
  return h(
    "div",
    { class: "scrolls study-moves", tabindex: "0", role: "region", "aria-label": "Moves by value" },
    table(heads, moves.slice(0, 4 * MOST).map(row)),
  );
}

function playButton(move, session) {
  const play = () => session.play(move.text).catch(complain);
  return h("button", { type: "button", class: "link", title: "Play it", onclick: play }, move.text);
}

function visitBar(count, most) {
  const bar = h("span", { class: "visit-bar" });
  bar.style.width = `${(100 * (count ?? 0)) / most}%`;
  return h("span", { class: "visits" }, bar, h("span", {}, whole(count)));
}
