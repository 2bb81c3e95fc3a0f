// The colours of the players' stones, as the board itself shows them.

const STONES = ["x", "o"];

/** Gives `element` the colours of the stones in a picture of the board, where there are any. */
export function useStones(element, svg) {
  // Where only `o` appears, it is nobody's: a piece that all take from.
  if (!svg.querySelector('.cell[data-piece="x"]')) return;
  STONES.forEach((name, index) => {
    const piece = svg.querySelector(`.cell[data-piece="${name}"] .piece`);
    const painted = piece?.matches("[fill]") ? piece : piece?.querySelector("[fill]");
    const color = painted?.getAttribute("fill");
    if (color) element.style.setProperty(`--stone-${index + 1}`, color);
  });
}
