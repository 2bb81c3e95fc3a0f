// Numbers and times, for people.

const GROUPED = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

/** A whole number with its thousands apart. */
export function whole(number) {
  return number === null || number === undefined ? "–" : GROUPED.format(number).replace("-", "−");
}

/** A value with a sign, as short as it can be told. */
export function value(number) {
  if (number === null || number === undefined) return "–";
  const size = Math.abs(number);
  if (size < 0.0005) return "0";
  const text = size < 0.01 ? size.toFixed(3) : plain(size);
  return `${number < 0 ? "−" : "+"}${text}`;
}

/** A number with about three digits that count. */
export function plain(number) {
  if (number === null || number === undefined) return "–";
  const size = Math.abs(number);
  if (size >= 1000) return whole(number);
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : 2;
  const text = size >= 0.01 || size === 0 ? number.toFixed(digits) : number.toPrecision(2);
  return String(Number(text)).replace("-", "−");
}

/** A share as per cent. */
export function percent(share) {
  return share === null || share === undefined ? "–" : `${plain(100 * share)} %`;
}

/** A time span. */
export function span(seconds) {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return "–";
  if (seconds < 1) return "under 1 s";
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${plain(seconds / 3600)} h`;
}

/** How long ago a moment was, given as seconds since 1970. */
export function ago(unix) {
  const seconds = Date.now() / 1000 - unix;
  if (seconds < 60) return "just now";
  if (seconds < 5400) return `${span(seconds)} ago`;
  if (seconds < 86400) return `${Math.round(seconds / 3600)} h ago`;
  return `${Math.round(seconds / 86400)} days ago`;
}

/** An interval in brackets, or nothing. */
export function interval(low, high) {
  if (low === null || low === undefined || high === null || high === undefined) return "";
  return `${plain(low)} to ${plain(high)}`;
}
