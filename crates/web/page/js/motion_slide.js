// Tiles that slide in one direction; two alike merge into one.

import { s } from "./dom.js";

const DURATION = 130;

/** Slides the tiles of `before` to where `after` has them. */
export function slide(before, after, direction) {
  const empty = [...before.querySelectorAll(".cell:not([data-piece]) .place")][0];
  const color = empty?.getAttribute("fill") ?? "transparent";
  const group = s("g", { class: "sliding" });
  const merged = new Set();
  for (const line of lines(before, direction)) {
    for (const { cell, target, merges } of targets(line)) {
      group.append(travel(cell, target));
      if (merges) merged.add(target.dataset.cell);
    }
  }
  for (const cell of after.querySelectorAll(".cell[data-piece]")) arrive(cell, color, merged);
  after.append(group);
  setTimeout(() => group.remove(), DURATION);
}

/** The rows or columns, each from the edge that tiles slide to. */
function lines(svg, direction) {
  const upright = direction === "up" || direction === "down";
  const [across, along] = upright ? ["x", "y"] : ["y", "x"];
  const sign = direction === "up" || direction === "left" ? 1 : -1;
  const byLine = Map.groupBy(svg.querySelectorAll(".cell"), (cell) => cell.dataset[across]);
  const order = (a, b) => sign * (a.dataset[along] - b.dataset[along]);
  return [...byLine.values()].map((cells) => cells.sort(order));
}

/** Where each tile of a line goes. */
function targets(line) {
  const found = [];
  let next = 0;
  let waiting = null;
  for (const cell of line.filter((each) => "piece" in each.dataset)) {
    const merges = waiting === cell.dataset.piece;
    found.push({ cell, target: line[merges ? next - 1 : next], merges });
    if (!merges) next += 1;
    waiting = merges ? null : cell.dataset.piece;
  }
  return found;
}

function travel(cell, target) {
  const tile = cell.cloneNode(true);
  tile.removeAttribute("class");
  tile.querySelectorAll(".last, .dot").forEach((mark) => mark.remove());
  const [dx, dy] = [target.dataset.x - cell.dataset.x, target.dataset.y - cell.dataset.y];
  const frames = [{ transform: "none" }, { transform: `translate(${dx}px, ${dy}px)` }];
  tile.animate(frames, { duration: DURATION, easing: "ease-out", fill: "forwards" });
  return tile;
}

function arrive(cell, color, merged) {
  const [place, piece] = [cell.querySelector(".place"), cell.querySelector(".piece")];
  place.animate([{ fill: color }, { fill: color }], { duration: DURATION });
  piece?.animate([{ opacity: 0 }, { opacity: 0 }], { duration: DURATION });
  const fresh = "last" in cell.dataset;
  if (!fresh && !merged.has(cell.dataset.cell)) return;
  const frames = fresh
    ? [{ transform: "scale(0)" }, { transform: "scale(1)" }]
    : [{ transform: "scale(1)" }, { transform: "scale(1.12)" }, { transform: "scale(1)" }];
  const timing = { duration: 140, delay: DURATION, fill: "backwards", easing: "ease-out" };
  for (const part of [place, piece]) part?.animate(frames, timing);
}
