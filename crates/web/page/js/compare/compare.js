// Compare: matches and tournaments, started here and watched.

import { get, listen, post, remove } from "../api.js";
import { button, fill, h } from "../dom.js";
import { span, whole } from "../format.js";
import { complain } from "../notice.js";
import { address, showAddress } from "../router.js";
import { ContestForm } from "./contest_form.js";
import { contestReport } from "./contest_report.js";

/** Opens the view of contests. */
export async function openCompare(main, route) {
  const view = new CompareView(main, route.query.get("contest"));
  await view.load();
  return { close: () => view.close(), follow: (next) => view.follow(next) };
}

class CompareView {
  #unlisten = () => {};

  constructor(main, wanted) {
    this.wanted = wanted === null ? null : Number(wanted);
    this.list = h("ul", { class: "contest-items" });
    this.progress = h("progress", { max: 1, "aria-label": "Games played" });
    this.left = h("p", { class: "hint", role: "status" });
    this.report = h("div", { class: "contest-report" });
    this.content = h("section", { class: "card part", "aria-label": "Result" });
    this.form = new ContestForm((number) => this.#open(number));
    const hero = h(
      "header",
      { class: "hero" },
      h("h1", {}, "Who is stronger?"),
      h("p", {}, "Let agents play each other. Results have 95 % confidence intervals."),
    );
    const past = h("section", { class: "card part" }, h("h2", {}, "Contests"), this.list);
    const side = h("div", { class: "compare-side" }, this.form.element, past);
    const body = h("div", { class: "compare" }, side, this.content);
    main.replaceChildren(h("div", { class: "page" }, hero, body));
  }

  async load() {
    await Promise.all([this.form.load(), this.#list()]);
    const first = this.wanted ?? this.contests[0]?.contest;
    if (first === undefined) this.#showNothing();
    else this.#open(first);
  }

  async #list() {
    ({ contests: this.contests } = await get("contests"));
    const entry = (contest) =>
      h(
        "li",
        { "aria-current": contest.contest === this.number ? "true" : null },
        button(title(contest), () => this.#open(contest.contest), { look: "link" }),
        h("span", { class: `chip state-${contest.state}` }, contest.state),
      );
    const none = h("li", { class: "hint" }, "None yet.");
    fill(this.list, this.contests.length ? this.contests.map(entry) : none);
  }

  #showNothing() {
    const text = "Start a match of two agents, or a tournament of several.";
    fill(this.content, h("p", { class: "empty" }, text));
  }

  #open(number) {
    this.number = number;
    showAddress(address("compare", [["contest", number]]));
    this.close();
    this.#unlisten = listen(`contests/${number}/events`, {
      contest: (contest) => this.#show(contest),
      progress: (now) => this.#go(now),
    });
  }

  #go({ done, expected, left }) {
    this.progress.value = expected ? done / expected : 0;
    const time = left === null ? "" : `, ${span(left)} left`;
    this.left.textContent = `${whole(done)} of ${whole(expected)} games${time}`;
  }

  #show(contest) {
    if (contest.state !== "playing") this.close();
    const ask = (asked) => asked.then(() => this.#list()).catch(complain);
    const stop = () => ask(post(`contests/${contest.contest}/stop`, {}));
    const drop = () => ask(remove(`contests/${contest.contest}`).then(() => this.#showNothing()));
    const playing = contest.state === "playing";
    const { games, openings, seed } = contest;
    const facts = `${whole(games)} games for each pair, openings ${openings}, seed ${seed}`;
    fill(
      this.content,
      h(
        "div",
        { class: "curves-head" },
        h("h2", {}, title(contest)),
        playing
          ? button("Stop", stop, { look: "danger" })
          : button("Remove", drop, { look: "quiet" }),
      ),
      h("p", { class: "hint" }, facts),
      playing ? [this.progress, this.left] : null,
      contest.reason ? h("p", { class: "wrong-text" }, contest.reason) : null,
      contest.report ? contestReport(contest) : null,
    );
    this.#go(contest);
    this.#list().catch(complain);
  }

  /** Follows the address to another contest. */
  follow(route) {
    const number = route.query.get("contest");
    if (number !== null) this.#open(Number(number));
    return true;
  }

  close() {
    this.#unlisten();
  }
}

function title({ contest, kind, game, agents }) {
  const who = kind === "match" ? agents.join(" – ") : `${agents.length} agents`;
  return `${contest}. ${game}: ${who}`;
}
