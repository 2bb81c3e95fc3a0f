// The text of a state: rows of cells or heaps, and who is to move.

const STONES = [".", "x", "o"];
const TILES = [".", ...Array.from({ length: 15 }, (_, i) => String(2 ** (i + 1)))];

/** What a text of a state says, as far as it can be changed by pointing. */
export function readState(text) {
  return new StateText(text.trim());
}

class StateText {
  constructor(text) {
    const tail = text.match(/ (player \d+|chance|[xo])$/)?.[1] ?? "";
    this.text = text;
    this.tail = tail;
    this.body = tail ? text.slice(0, -tail.length - 1) : text;
  }

  /** The cells of a board, row by row; none if the text is of another form. */
  get cells() {
    if (!this.body.includes("/")) return [];
    return this.body.split("/").flatMap((row) => this.#split(row));
  }

  #split(row) {
    return row.includes(" ") ? row.split(" ") : [...row];
  }

  /** The text with what comes next in the cell of that number. */
  changed(number) {
    const spaced = this.body.includes(" ");
    const kinds = spaced ? TILES : STONES;
    let index = 0;
    const rows = this.body.split("/").map((row) => {
      const next = (cell) => {
        index += 1;
        return index - 1 === number ? kinds[(kinds.indexOf(cell) + 1) % kinds.length] : cell;
      };
      return this.#split(row)
        .map(next)
        .join(spaced ? " " : "");
    });
    return this.#join(rows.join("/"), this.tail);
  }

  /** The numbers of heaps, if the text is one of heaps. */
  get heaps() {
    return /^\d+( \d+)*$/.test(this.body) ? this.body.split(" ") : [];
  }

  /** The text with another number in a heap. */
  withHeap(index, count) {
    return this.#join(this.heaps.with(index, count).join(" "), this.tail);
  }

  /** Who is to move, if the text says so. */
  get mover() {
    return this.movers.includes(this.tail) ? this.tail : null;
  }

  /** What the text may say about who is to move. */
  get movers() {
    if (STONES.includes(this.tail)) return ["x", "o"];
    return this.heaps.length ? ["player 1", "player 2", "player 3"] : ["player 1", "player 2"];
  }

  /** The text with somebody else to move. */
  withMover(mover) {
    return this.#join(this.body, mover);
  }

  #join(body, tail) {
    return tail ? `${body} ${tail}` : body;
  }
}
