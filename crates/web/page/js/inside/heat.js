// The worth of every legal move, drawn over the board.

import { s } from "../dom.js";
import { value } from "../format.js";

const BAD = [233, 138, 123];
const EVEN = [244, 239, 228];
const GOOD = [108, 197, 181];

/** Shapes for the moves of a study. */
export function heat(board, study) {
  const known = study.moves.filter((move) => move.value !== null);
  const shade = shading(known.map((move) => move.value));
  return known.flatMap((move) => {
    const place = board.place(move.id);
    return place ? spot(place, move, shade(move.value)) : [];
  });
}

/** A colour for each value: on a scale from -1 to 1 if that fits, else from worst to best. */
export function shading(values) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  if (low >= -1.001 && high <= 1.001) return shade;
  const middle = (low + high) / 2;
  return (number) => shade(high > low ? (2 * (number - middle)) / (high - low) : 0);
}

/** The colour of a level from -1, bad, to 1, good. */
export function shade(level) {
  return mix(Math.max(-1, Math.min(1, level)));
}

function mix(level) {
  const end = level < 0 ? BAD : GOOD;
  const part = (i) => Math.round(EVEN[i] + Math.abs(level) * (end[i] - EVEN[i]));
  return `rgb(${part(0)} ${part(1)} ${part(2)})`;
}

function spot([x, y], move, fill) {
  const text = value(move.value);
  const size = Math.min(0.3, 1.35 / text.length);
  return [
    s("rect", {
      class: move.best ? "spot best" : "spot",
      x: x - 0.4,
      y: y - 0.26,
      width: 0.8,
      height: 0.52,
      rx: 0.16,
      fill,
    }),
    s("text", { class: "spot-text", x, y: y + 0.36 * size, "font-size": size }, text),
  ];
}

/** A ring around the move that is advised. */
export function ring(board, id) {
  const place = board.place(id);
  if (!place) return [];
  return [s("circle", { class: "hint-ring", cx: place[0], cy: place[1], r: 0.42 })];
}

/** The cells of an n-tuple, joined in their order. */
export function tupleShape(board, { cells, weight }) {
  const places = cells.map((number) => board.cell(number)).filter(Boolean);
  const kind = weight < 0 ? "against" : "for";
  const points = places.map((place) => place.join(",")).join(" ");
  return [
    s("polyline", { class: `tuple-line ${kind}`, points }),
    places.map(([cx, cy]) => s("circle", { class: `tuple-cell ${kind}`, cx, cy, r: 0.3 })),
  ].flat();
}
