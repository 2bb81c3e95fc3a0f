// Who stands better, as a bar.

import { h } from "../dom.js";
import { value } from "../format.js";
import { shortAgent } from "../spec.js";

/** The bar for values to each player, or nothing if nothing is known. */
export function evaluationBar(study) {
  const { values } = study;
  if (values.every((each) => each === null)) return null;
  if (values.length === 1) return expectation(values[0], study.agent);
  const label = `What ${shortAgent(study.agent)} expects`;
  const told = values.map((each, i) => (each === null ? null : `player ${i + 1} ${value(each)}`));
  const aria = `${label}: ${told.filter(Boolean).join(", ")}`;
  const body = values.length === 2 ? between(values) : values.map(single(values));
  const look = `evaluation of-${values.length}`;
  return h("div", { class: look, role: "img", "aria-label": aria }, body);
}

function expectation(gain, agent) {
  const text = `${shortAgent(agent)} expects ${value(gain)} from here on.`;
  return h("p", { class: "evaluation hint" }, text);
}

function between([first, second]) {
  const known = first ?? -second;
  const size = Math.max(1, Math.abs(known));
  const bar = h("div", { class: "evaluation-first player-1" });
  bar.style.width = `${50 + (50 * known) / size}%`;
  const number = (text, side) => h("span", { class: `evaluation-number ${side}` }, text);
  return [
    number(value(known), "first"),
    h("div", { class: "evaluation-track player-2" }, bar),
    number(value(second ?? -first), "second"),
  ];
}

function single(values) {
  const most = Math.max(1, ...values.map((each) => Math.abs(each ?? 0)));
  return (each, index) => {
    const bar = h("div", { class: `evaluation-first player-${index + 1}` });
    bar.style.width = `${each === null ? 0 : 50 + (50 * each) / most}%`;
    return h(
      "div",
      { class: "evaluation-row" },
      h("div", { class: "evaluation-track" }, bar),
      h("span", { class: "evaluation-number" }, value(each)),
    );
  };
}
