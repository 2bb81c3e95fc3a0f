// What moves on a board from one position to the next: stones drop, discs flip, tiles slide.

import { slide } from "./motion_slide.js";

const CALM = matchMedia("(prefers-reduced-motion: reduce)");
const WORDS = ["up", "right", "down", "left"];

/** Shows how the picture `before` became `after`. */
export function moveAlong(before, after, beforePosition, position) {
  if (CALM.matches || document.hidden || position.game !== beforePosition.game) return;
  const move = position.plies.slice(beforePosition.played.length).find((ply) => ply.player);
  if (!move || position.played.length <= beforePosition.played.length) return;
  if (WORDS.includes(move.text)) slide(before, after, move.text);
  else change(before, after);
}

function change(before, after) {
  const last = after.querySelector(".cell[data-last]");
  for (const cell of after.querySelectorAll(".cell")) {
    const old = before.querySelector(`.cell[data-cell="${cell.dataset.cell}"]`);
    const [was, is] = [old?.dataset.piece, cell.dataset.piece];
    if (was === is) continue;
    const delay = last ? 45 * apart(last, cell) : 0;
    if (was === undefined) appear(cell, after);
    else if (is === undefined) vanish(cell, old);
    else flip(cell, old, delay);
  }
}

function apart(a, b) {
  return Math.hypot(a.dataset.x - b.dataset.x, a.dataset.y - b.dataset.y);
}

function appear(cell, svg) {
  const piece = cell.querySelector(".piece");
  const height = fall(cell, svg);
  if (height > 0) {
    const frames = [
      { transform: `translateY(${-height}px)`, easing: "cubic-bezier(.5,0,.9,.6)" },
      { transform: "translateY(0)", offset: 0.75, easing: "ease-out" },
      { transform: "translateY(-.18px)", offset: 0.87, easing: "ease-in" },
      { transform: "translateY(0)" },
    ];
    piece?.animate(frames, { duration: 260 + 60 * height });
  } else {
    const frames = [
      { transform: "scale(.4)", opacity: 0 },
      { transform: "scale(1)", opacity: 1 },
    ];
    piece?.animate(frames, { duration: 180, easing: "cubic-bezier(.2,.9,.3,1.3)" });
  }
}

// A column whose cells all mean one move is one that stones fall into, from above the board.
function fall(cell, svg) {
  const { move, x, y } = cell.dataset;
  if (move === undefined) return 0;
  const column = [...svg.querySelectorAll(`.cell[data-move="${move}"]`)];
  const upright = column.length > 1 && column.every((other) => other.dataset.x === x);
  if (!upright) return 0;
  return Number(y) - Math.min(...column.map((other) => Number(other.dataset.y))) + 1;
}

function vanish(cell, old) {
  const piece = old.querySelector(".piece")?.cloneNode(true);
  if (!piece) return;
  cell.append(piece);
  const frames = [{ opacity: 1 }, { opacity: 0, transform: "scale(.5)" }];
  piece.animate(frames, { duration: 240, easing: "ease-in" }).onfinish = () => piece.remove();
}

function flip(cell, old, delay) {
  const [from, to] = [old.querySelector(".piece")?.cloneNode(true), cell.querySelector(".piece")];
  if (!from || !to) return;
  cell.insertBefore(from, to);
  const half = { duration: 130, delay, fill: "both" };
  const away = from.animate([{ transform: "scaleX(1)" }, { transform: "scaleX(0)" }], half);
  away.onfinish = () => from.remove();
  const back = { duration: 130, delay: delay + 130, fill: "backwards" };
  to.animate([{ transform: "scaleX(0)" }, { transform: "scaleX(1)" }], back);
}
