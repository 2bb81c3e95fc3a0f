// The result of a tournament: standings with ratings, and who beat whom.

import { h, table } from "../dom.js";
import { plain, value, whole } from "../format.js";
import { shade } from "../inside/heat.js";
import { region, whisker } from "./contest_report.js";

/** Everybody by rating, with intervals. */
export function standings(report) {
  const ranges = report.standings.map(({ rating }) => bounds(rating));
  const low = Math.min(...ranges.map((range) => range.low));
  const high = Math.max(...ranges.map((range) => range.high));
  const row = (each, index) =>
    h(
      "tr",
      {},
      h("td", { class: "number" }, index + 1),
      h("th", { scope: "row" }, each.name),
      h("td", { class: "number" }, plain(each.points)),
      h("td", { class: "number" }, whole(each.results)),
      h("td", { class: "number" }, value(each.reward.mean)),
      h("td", {}, whisker({ mean: each.rating.elo, interval: ranges[index] }, low, high)),
      h("td", { class: "number" }, `${whole(each.rating.elo)} ± ${whole(margin(each.rating))}`),
      h("td", { class: "number" }, whole(each.glicko.rating)),
    );
  const heads = ["Place", "Agent", "Points", "Games", "Reward", "Rating, 95 %", "Elo", "Glicko-2"];
  return region("Standings", table(heads, report.standings.map(row)));
}

// An error is one standard deviation; an interval, where one was computed, is better.
function bounds(rating) {
  if (rating.interval) return rating.interval;
  return { low: rating.elo - margin(rating), high: rating.elo + margin(rating) };
}

function margin({ error, interval }) {
  return interval ? (interval.high - interval.low) / 2 : 1.96 * error;
}

/** Points of each against each, the better the greener. */
export function crossTable({ standings: list, cross }) {
  const cell = (score, i, j) => {
    if (!score) return h("td", { class: "diagonal" });
    const share = (score.wins + score.draws / 2) / score.games;
    const losses = score.games - score.wins - score.draws;
    const told = `${score.wins} won, ${score.draws} drawn, ${losses} lost`;
    const title = `${list[i].name} against ${list[j].name}: ${told}`;
    const points = h("b", {}, plain(score.wins + score.draws / 2));
    const element = h("td", { class: "cross-cell", title }, points);
    element.append(h("small", {}, ` / ${score.games}`));
    element.style.backgroundColor = shade(2 * share - 1);
    return element;
  };
  const head = h(
    "tr",
    {},
    h("td", {}),
    list.map((each, index) => h("th", { scope: "col", title: each.name }, index + 1)),
  );
  const row = (scores, i) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, `${i + 1}. ${list[i].name}`),
      scores.map((score, j) => cell(score, i, j)),
    );
  return [
    h("h3", {}, "Cross table"),
    region(
      "Cross table",
      h("table", { class: "cross" }, h("thead", {}, head), h("tbody", {}, cross.map(row))),
    ),
  ];
}
