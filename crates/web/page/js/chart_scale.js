// From numbers to places on a chart.

/** Round numbers that cover `low` to `high`, about `count` of them. */
export function ticks(low, high, count) {
  const span = high - low || 1;
  const rough = span / Math.max(count, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  const tick = (_, i) => Number(((first + i) * step).toPrecision(12));
  return Array.from({ length: last - first + 1 }, tick);
}

/** The same, of whole numbers only. */
export function wholeTicks(low, high, count) {
  return ticks(low, high, Math.min(count, Math.ceil(high - low))).filter(Number.isInteger);
}

/** The least and the largest of some numbers, apart from each other. */
export function extent(numbers) {
  const finite = numbers.filter(Number.isFinite);
  if (finite.length === 0) return [0, 1];
  const [low, high] = [Math.min(...finite), Math.max(...finite)];
  const room = Math.max(0.5, 0.05 * Math.abs(low));
  return low === high ? [low - room, high + room] : [low, high];
}

/** A function that maps `low`..`high` to `from`..`to`. */
export function scale(low, high, from, to) {
  return (number) => from + ((number - low) / (high - low)) * (to - from);
}
