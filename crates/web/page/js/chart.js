// Charts of lines with bands around them.

import { extent, scale, ticks, wholeTicks } from "./chart_scale.js";
import { fill, h, s } from "./dom.js";
import { plain, whole } from "./format.js";

const LEFT = 52;
const RIGHT = 26;
const TOP = 12;
const BOTTOM = 38;

/** A chart in a box of its own that is drawn anew when the box changes its width. */
export class LineChart {
  /** `xLabel`, `yLabel` and a height in pixels; `onpick` gets the x that is pointed at. */
  constructor({ xLabel, yLabel, height = 300, onpick = null, range = null }) {
    Object.assign(this, { xLabel, yLabel, height, onpick, range });
    this.series = [];
    this.marks = [];
    this.picture = h("div", { class: "chart-picture" });
    this.readout = h("div", { class: "readout", hidden: true });
    this.legend = h("ul", { class: "legend" });
    this.element = h("figure", { class: "chart" }, this.picture, this.readout, this.legend);
    new ResizeObserver(() => this.#draw()).observe(this.picture);
  }

  /** Shows series `{name, points: [{x, y, low, high}]}` and marks `{x, y, kind}`. */
  show(series, marks = []) {
    this.series = series;
    this.marks = marks;
    this.#draw();
    const swatch = (_, i) =>
      s(
        "svg",
        { viewBox: "0 0 28 8", class: "swatch", "aria-hidden": "true" },
        s("path", { d: "M1 4H27", class: `line line-${i % 8}` }),
      );
    const entry = (each, i) => h("li", {}, swatch(each, i), each.name);
    fill(this.legend, series.map(entry));
  }

  #draw() {
    const width = Math.max(this.picture.clientWidth, 240);
    const points = this.series.flatMap((each) => each.points);
    const [left, right] = extent(points.map((point) => point.x));
    const ys = points.flatMap((point) => [point.y, point.low ?? point.y, point.high ?? point.y]);
    const [low, high] = this.range ?? padded(extent(ys));
    this.x = scale(left, right, LEFT, width - RIGHT);
    this.y = scale(low, high, this.height - BOTTOM, TOP);
    const svg = s(
      "svg",
      { viewBox: `0 0 ${width} ${this.height}`, height: this.height, role: "img" },
      s("title", {}, this.#summary()),
      this.#grid(width, [left, right], [low, high]),
      this.series.map((each, i) => this.#band(each, i)),
      this.series.map((each, i) => this.#line(each, i)),
      this.marks.map((mark) => this.#mark(mark)),
    );
    svg.addEventListener("pointermove", (event) => this.#point(event, svg));
    svg.addEventListener("pointerleave", () => this.#leave());
    if (this.onpick) svg.addEventListener("click", () => this.#pick());
    fill(this.picture, svg);
  }

  #summary() {
    const last = (each) => `${each.name} ends at ${plain(each.points.at(-1)?.y)}`;
    const lines = this.series.filter((each) => each.points.length).map(last);
    return `${this.yLabel} over ${this.xLabel}. ${lines.join("; ")}`;
  }

  #grid(width, [left, right], [low, high]) {
    const bottom = this.height - BOTTOM;
    const across = ticks(low, high, this.height / 56).map((y) => [
      s("line", { class: "grid", x1: LEFT, x2: width - RIGHT, y1: this.y(y), y2: this.y(y) }),
      s("text", { class: "tick", x: LEFT - 8, y: this.y(y) + 4, "text-anchor": "end" }, plain(y)),
    ]);
    const along = wholeTicks(left, right, width / 110).map((x) =>
      s("text", { ...centred("tick"), x: this.x(x), y: bottom + 16 }, whole(x)),
    );
    const middle = (LEFT + width - RIGHT) / 2;
    return [
      across,
      along,
      s("text", { ...centred("axis"), x: middle, y: this.height - 4 }, this.xLabel),
    ];
  }

  #band({ points }, index) {
    const wide = points.filter(({ low, high }) => Number.isFinite(low) && Number.isFinite(high));
    if (wide.length < 2) return null;
    const up = wide.map(({ x, high }) => `${this.x(x)},${this.y(high)}`);
    const down = wide.map(({ x, low }) => `${this.x(x)},${this.y(low)}`).reverse();
    return s("polygon", { class: `band band-${index % 8}`, points: [...up, ...down].join(" ") });
  }

  #line({ points }, index) {
    const known = points.filter(({ y }) => Number.isFinite(y));
    if (known.length === 1) {
      const [{ x, y }] = known;
      return s("circle", { class: `dot-${index % 8}`, cx: this.x(x), cy: this.y(y), r: 3.5 });
    }
    const d = known.map(({ x, y }, i) => `${i ? "L" : "M"}${this.x(x)} ${this.y(y)}`).join("");
    return s("path", { class: `line line-${index % 8}`, d });
  }

  #mark({ x, y, kind }) {
    return s("circle", { class: `chart-mark ${kind}`, cx: this.x(x), cy: this.y(y), r: 5 });
  }

  #point(event, svg) {
    const box = svg.getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * svg.viewBox.baseVal.width;
    const xs = [...new Set(this.series.flatMap((each) => each.points.map(({ x }) => x)))];
    if (xs.length === 0) return;
    const far = (x) => Math.abs(this.x(x) - at);
    this.pointed = xs.reduce((a, b) => (far(b) < far(a) ? b : a));
    svg.querySelector(".crosshair")?.remove();
    const place = this.x(this.pointed);
    const ends = { x1: place, x2: place, y1: TOP, y2: this.height - BOTTOM };
    svg.append(s("line", { class: "crosshair", ...ends }));
    this.#read(place / svg.viewBox.baseVal.width);
  }

  #read(share) {
    const row = (each) => {
      const point = each.points.find(({ x }) => x === this.pointed);
      return point ? h("div", {}, `${each.name}: ${plain(point.y)}`) : null;
    };
    fill(this.readout, h("b", {}, `${this.xLabel} ${whole(this.pointed)}`), this.series.map(row));
    this.readout.hidden = false;
    this.readout.style.left = `${100 * share}%`;
    this.readout.classList.toggle("flipped", share > 0.6);
  }

  #leave() {
    this.readout.hidden = true;
    this.picture.querySelector(".crosshair")?.remove();
  }

  #pick() {
    if (this.pointed !== undefined) this.onpick(this.pointed);
  }
}

function centred(name) {
  return { class: name, "text-anchor": "middle" };
}

function padded([low, high]) {
  const room = 0.04 * (high - low);
  return [low - room, high + room];
}

/** Bars for how often numbers lie between `edges`. */
export function histogram({ edges, counts }, label) {
  const [width, height] = [320, 150];
  const most = Math.max(...counts, 1);
  const x = scale(edges[0], edges.at(-1), 8, width - 8);
  const y = scale(0, most, height - 22, 8);
  const bar = (count, i) =>
    s("rect", {
      class: "bar",
      x: x(edges[i]) + 0.5,
      y: y(count),
      width: Math.max(x(edges[i + 1]) - x(edges[i]) - 1, 0.5),
      height: y(0) - y(count),
    });
  const tick = (edge, anchor) =>
    s("text", { class: "tick", x: x(edge), y: height - 6, "text-anchor": anchor }, plain(edge));
  return s(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, class: "histogram", role: "img", "aria-label": label },
    counts.map(bar),
    tick(edges[0], "start"),
    tick(edges[Math.floor(edges.length / 2)], "middle"),
    tick(edges.at(-1), "end"),
  );
}
