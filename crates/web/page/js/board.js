// A board that can be looked at and played on. The picture comes from the server.

import { parseSvg, s } from "./dom.js";
import { moveAlong } from "./motion.js";

/** Shows positions in `frame`, and tells `onmove` of the move a person points at. */
export class Board {
  #frame;
  #onmove;
  #svg = null;
  #position = null;
  #overlays = new Map();

  constructor(frame, onmove) {
    this.#frame = frame;
    this.#onmove = onmove;
  }

  /** Shows a position; `open` says whether a person may move, `lively` whether things move. */
  show(position, { open, lively }) {
    const [before, beforePosition] = [this.#svg, this.#position];
    const focused = before?.contains(document.activeElement)
      ? Number(document.activeElement.dataset.cell)
      : null;
    this.#svg = dress(position);
    this.#position = position;
    if (open) this.#openMoves();
    this.#overlays.forEach((group) => this.#svg.append(group));
    this.#frame.replaceChildren(this.#svg);
    if (focused !== null) this.#focusNear(focused);
    if (lively && before) moveAlong(before, this.#svg, beforePosition, position);
  }

  /** Draws over the board: `shapes` under a name, instead of those drawn before. */
  overlay(name, shapes) {
    this.#overlays.get(name)?.remove();
    const group = s("g", { class: `overlay ${name}` }, shapes);
    this.#overlays.set(name, group);
    this.#svg?.append(group);
  }

  /** Where a move is shown: the centre of the cell that it means, if one does. */
  place(id) {
    const cell = this.#target(id);
    return cell ? centre(cell) : null;
  }

  /** The centre of a cell by its number. */
  cell(number) {
    const cell = this.#svg.querySelector(`.cell[data-cell="${number}"]`);
    return cell ? centre(cell) : null;
  }

  /** Scrolls until the board is seen, if it is not. */
  reveal() {
    this.#frame.scrollIntoView({ block: "nearest", behavior: "smooth" });
  }

  /** Puts the keyboard's focus on the board. */
  focus() {
    this.#svg.querySelector("[tabindex='0']")?.focus();
  }

  #cells(id) {
    return [...this.#svg.querySelectorAll(`.cell[data-move="${id}"]`)];
  }

  // Of several cells that mean a move the lowest empty one stands for it: there a stone lands.
  #target(id) {
    const cells = this.#cells(id);
    const empty = cells.filter((cell) => !("piece" in cell.dataset));
    const lowest = (list) =>
      list.reduce((a, b) => (Number(b.dataset.y) > Number(a.dataset.y) ? b : a), list[0]);
    return lowest(empty) ?? lowest(cells) ?? null;
  }

  #openMoves() {
    const texts = new Map();
    for (const { id, text } of this.#position.legal) {
      texts.set(String(id), text);
      this.#cells(id).forEach((cell) => cell.classList.add("open"));
      const target = this.#target(id);
      if (target) this.#makeButton(target, text);
    }
    this.#svg.querySelector(".target")?.setAttribute("tabindex", "0");
    const text = (event) => texts.get(event.target.closest(".cell")?.dataset.move);
    this.#svg.addEventListener("click", (event) => {
      if (text(event) !== undefined) this.#onmove(text(event));
    });
    this.#svg.addEventListener("pointerover", (event) => this.#aim(event));
    this.#svg.addEventListener("pointerleave", (event) => this.#aim(event));
    this.#svg.addEventListener("keydown", (event) => this.#key(event, texts));
  }

  #makeButton(cell, text) {
    const piece = cell.dataset.piece;
    cell.classList.add("target");
    cell.setAttribute("role", "button");
    cell.setAttribute("tabindex", "-1");
    cell.setAttribute("aria-label", piece ? `${text}, at ${piece}` : text);
    if (!piece) {
      const [cx, cy] = centre(cell);
      cell.append(s("circle", { class: "dot", cx, cy, r: 0.09 }));
    }
  }

  #aim(event) {
    const move = event.target.closest?.(".cell.open")?.dataset.move;
    this.#svg.querySelectorAll(".aim").forEach((cell) => cell.classList.remove("aim"));
    if (move !== undefined) this.#cells(move).forEach((cell) => cell.classList.add("aim"));
  }

  #key(event, texts) {
    const cell = event.target.closest(".target");
    if (!cell) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      event.stopPropagation();
      this.#onmove(texts.get(cell.dataset.move));
      return;
    }
    const direction = DIRECTIONS[event.key];
    if (!direction) return;
    event.preventDefault();
    event.stopPropagation();
    const next = nearest(cell, [...this.#svg.querySelectorAll(".target")], direction);
    if (next) this.#focus(next);
  }

  #focus(cell) {
    this.#svg.querySelectorAll(".target").forEach((each) => each.setAttribute("tabindex", "-1"));
    cell.setAttribute("tabindex", "0");
    cell.focus();
  }

  #focusNear(number) {
    const old = this.#svg.querySelector(`.cell[data-cell="${number}"]`);
    const targets = [...this.#svg.querySelectorAll(".target")];
    if (!old || targets.length === 0) return;
    const far = (cell) => distance(centre(old), centre(cell));
    this.#focus(targets.reduce((a, b) => (far(b) < far(a) ? b : a)));
  }
}

const DIRECTIONS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The nearest other cell that lies in a direction. */
function nearest(from, cells, [dx, dy]) {
  const [x, y] = centre(from);
  let best = null;
  let bestCost = Infinity;
  for (const cell of cells) {
    const [cx, cy] = centre(cell);
    const along = (cx - x) * dx + (cy - y) * dy;
    const aside = Math.abs((cx - x) * dy) + Math.abs((cy - y) * dx);
    // The row on a board of hexagons is half a cell aside.
    if (along < 0.3 || cell === from) continue;
    const cost = along + 2.5 * aside;
    if (cost < bestCost) [best, bestCost] = [cell, cost];
  }
  return best;
}

/** The centre of a cell. */
export function centre(cell) {
  return [Number(cell.dataset.x), Number(cell.dataset.y)];
}

function distance([ax, ay], [bx, by]) {
  return Math.hypot(ax - bx, ay - by);
}

/** A picture from the server, as wide as its frame. */
export function picture(text) {
  const svg = parseSvg(text);
  svg.removeAttribute("width");
  svg.removeAttribute("height");
  svg.classList.add("board");
  return svg;
}

/** The picture of a position, with words for those who do not see it. */
export function dress(position) {
  const svg = picture(position.svg);
  svg.setAttribute("role", "group");
  const turn = position.over ? position.outcome : `player ${position.turn} to move`;
  svg.setAttribute("aria-label", `${position.title}, ${turn}: ${position.state}`);
  return svg;
}
