// The result of a match: who won how often in which role, and how sure that is.

import { h, s, table } from "../dom.js";
import { percent, plain, value, whole } from "../format.js";
import { crossTable, standings } from "./tournament_report.js";

/** The report of a contest. */
export function contestReport({ kind, report }) {
  return kind === "match" ? matchReport(report) : [standings(report), crossTable(report)];
}

function matchReport(report) {
  const heads = ["Agent", "Plays", "Games", "Won", "Drawn", "Lost", "Wins", "Reward"];
  const rows = report.contestants.flatMap((each) => [
    row(each.name, "in all", each.overall, true),
    ...each.roles.map((role, index) => row("", `player ${index + 1}`, role, false)),
  ]);
  // Nobody wins a game alone.
  if (report.contestants.every(({ roles }) => roles.length === 1)) {
    const rewards = report.contestants.map(rewardRow);
    return [
      region("Results", table(["Agent", "Games", "Reward", "95 % CI"], rewards)),
      h("p", { class: "hint" }, lengthText(report)),
    ];
  }
  return [
    h("div", { class: "shares" }, report.contestants.map(shares)),
    report.elo ? h("p", {}, eloText(report)) : null,
    region("Results by role", table(heads, rows)),
    h("p", { class: "hint" }, lengthText(report)),
  ];
}

function eloText({ elo, contestants }) {
  const range = elo.interval
    ? ` (${whole(elo.interval.low)} to ${whole(elo.interval.high)}, 95 %)`
    : "";
  return `${contestants[0].name} is ${value(elo.elo)} Elo${range} from ${contestants[1].name}.`;
}

function lengthText({ games, distinct, turns }) {
  const different = `${whole(distinct)} of them different`;
  return `${whole(games)} games, ${different}; ${plain(turns.mean)} turns each.`;
}

function row(name, role, result, strong) {
  const numbers = [result.games, result.wins, result.draws, result.losses].map(whole);
  return h(
    "tr",
    { class: strong ? "strong" : "" },
    h("th", { scope: "row" }, name),
    h("td", {}, role),
    numbers.map((text) => h("td", { class: "number" }, text)),
    h("td", {}, whisker(result.win_rate, 0, 1), ` ${percent(result.win_rate.mean)}`),
    h("td", {}, value(result.reward.mean)),
  );
}

function rewardRow({ name, overall: { games, reward } }) {
  const range = reward.interval;
  const cells = [
    whole(games),
    value(reward.mean),
    range ? `${value(range.low)} to ${value(range.high)}` : "",
  ];
  const cell = (text) => h("td", { class: "number" }, text);
  return h("tr", { class: "strong" }, h("th", { scope: "row" }, name), cells.map(cell));
}

/** A bar of wins, draws and losses. */
function shares({ name, overall }) {
  const part = (kind, count) => {
    const element = h("span", { class: `share ${kind}` });
    element.style.flexGrow = String(count);
    return count ? element : null;
  };
  const told = `${overall.wins} won, ${overall.draws} drawn, ${overall.losses} lost`;
  return h(
    "div",
    { class: "share-row" },
    h("strong", {}, name),
    h(
      "div",
      { class: "share-bar", role: "img", "aria-label": `${name}: ${told}` },
      part("won", overall.wins),
      part("drawn", overall.draws),
      part("lost", overall.losses),
    ),
    h("span", { class: "hint" }, told),
  );
}

/** An estimate with its interval, drawn between two limits. */
export function whisker({ mean, interval }, low, high) {
  const x = (number) => 3 + (94 * (number - low)) / (high - low || 1);
  const range = interval ?? { low: mean, high: mean };
  return s(
    "svg",
    { class: "whisker", viewBox: "0 0 100 14", "aria-hidden": "true" },
    s("line", { class: "whisker-track", x1: 3, x2: 97, y1: 7, y2: 7 }),
    s("line", { class: "whisker-range", x1: x(range.low), x2: x(range.high), y1: 7, y2: 7 }),
    s("circle", { class: "whisker-mean", cx: x(mean), cy: 7, r: 4 }),
  );
}

/** A part that scrolls by itself if it is too wide. */
export function region(label, ...children) {
  return h(
    "div",
    { class: "scrolls", tabindex: "0", role: "region", "aria-label": label },
    children,
  );
}
