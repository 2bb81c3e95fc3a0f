// Learning curves: one line for each group of runs that differ in their seed only.

import { get, query } from "../api.js";
import { LineChart } from "../chart.js";
import { field, fill, h, select, table } from "../dom.js";
import { plain, whole } from "../format.js";
import { complain } from "../notice.js";

const CURVES = [
  ["figure", "Strength"],
  ["error", "Error during training"],
  ["length", "Length of games"],
  ["touched", "Weights touched"],
  ["alpha", "Step size"],
  ["explore", "Exploration"],
  ["per_second", "Episodes per second"],
];

/** What can be shown: strength by each protocol, if there are several. */
function choices(protocols) {
  if (protocols.length < 2) return CURVES;
  const strength = protocols.map((protocol) => [`figure ${protocol}`, `Strength by ${protocol}`]);
  return [...strength, ...CURVES.slice(1)];
}

/** The chart of the chosen runs. */
export class Curves {
  #seen = "";
  #asking = false;

  constructor() {
    this.runs = [];
    this.y = "figure";
    this.chart = new LineChart({ xLabel: "episodes", yLabel: "figure", height: 340 });
    this.label = h("p", { class: "hint" });
    this.numbers = h("div", { class: "scrolls", tabindex: "0", role: "region" });
    this.numbers.setAttribute("aria-label", "Numbers of the curves");
    this.picture = h("a", { target: "_blank", rel: "noopener" }, "As a picture");
    this.choice = select(CURVES, {
      onchange: (event) => {
        this.y = event.target.value;
        this.update(this.runs);
      },
    });
    const head = h(
      "div",
      { class: "curves-head" },
      h("h2", {}, "Learning curves"),
      field("Show", this.choice),
    );
    this.table = h("details", { ontoggle: () => this.#showNumbers() }, h("summary", {}, "Numbers"));
    this.table.append(this.numbers);
    this.element = h(
      "section",
      { class: "card part", "aria-label": "Learning curves" },
      head,
      this.label,
      this.chart.element,
      h("div", { class: "row" }, this.table, this.picture),
    );
  }

  /** Shows these runs; asks for curves only if something changed. */
  async update(runs) {
    this.runs = runs;
    const seen = [
      this.y,
      ...runs.map((run) => [run.id, run.figure, run.touched, run.state]),
    ].join();
    if (seen === this.#seen || this.#asking || runs.length === 0) return;
    this.#asking = true;
    const [y, protocol] = this.y.split(" ");
    const pairs = [...runs.map((run) => ["run", run.id]), ["y", y], ["protocol", protocol]];
    try {
      this.#show(await get(`curves?${query(pairs)}`));
      this.#seen = seen;
      this.picture.href = `/api/curves.svg?${query(pairs)}`;
    } catch (error) {
      this.#seen = seen;
      complain(error);
    }
    this.#asking = false;
    // Something may have changed while the answer was under way.
    this.update(this.runs);
  }

  #show({ label, protocols, groups }) {
    this.#offer(choices(protocols));
    this.chart.yLabel = label;
    this.label.textContent = label;
    const point = ({ episode, mean, low, high }) => ({ x: episode, y: mean, low, high });
    const name = ({ name, runs }) => (runs.length > 1 ? `${name} (${runs.length} seeds)` : name);
    this.groups = groups.map((group) => ({ ...group, title: name(group) }));
    this.chart.show(
      this.groups.map(({ title, points }) => ({ name: title, points: points.map(point) })),
    );
    this.#showNumbers();
  }

  #offer(all) {
    const known = [...this.choice.options].map((option) => option.value);
    if (known.join() === all.map(([value]) => value).join()) return;
    fill(this.choice, ...all.map(([value, text]) => h("option", { value }, text)));
    if (!all.some(([value]) => value === this.y)) this.y = all[0][0];
    this.choice.value = this.y;
  }

  #showNumbers() {
    if (!this.table.open || !this.groups) return;
    const row = (title, { episode, mean, low, high }) =>
      h(
        "tr",
        {},
        [title, whole(episode), plain(mean), `${plain(low)} to ${plain(high)}`].map((text) =>
          h("td", {}, text),
        ),
      );
    const rows = this.groups.flatMap(({ title, points }) => points.map((each) => row(title, each)));
    fill(this.numbers, table(["Runs", "Episode", "Mean", "Band"], rows));
  }
}
