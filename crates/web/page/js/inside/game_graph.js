// What the game was worth to each player, move by move, and which moves were mistakes.

import { LineChart } from "../chart.js";
import { button, fill, h } from "../dom.js";
import { value } from "../format.js";
import { complain } from "../notice.js";

/** Seconds for a judgement that was asked for. */
const PATIENCE = 10;

/** The graph over the game, with a judgement of every move on request. */
export class GameGraph {
  constructor(session, judgement) {
    this.session = session;
    this.judgement = judgement;
    const onpick = (ply) => session.goTo(ply).catch(complain);
    this.chart = new LineChart({ xLabel: "move", yLabel: "value", height: 200, onpick });
    this.ask = button("Find the mistakes", () => this.judge(PATIENCE));
    this.mistakes = h("div", { class: "mistakes" });
    const tools = h("p", { class: "row" }, this.ask);
    this.element = h("div", {}, this.chart.element, tools, this.mistakes);
  }

  /** Judges the whole game, for so many seconds at most. */
  async judge(seconds) {
    if (this.judging || this.session.position.played.length === 0) return;
    this.judging = true;
    this.ask.disabled = true;
    this.ask.textContent = "Judging every move …";
    await this.judgement.judgeGame(seconds).catch(complain);
    this.judging = false;
    this.ask.textContent = "Find the mistakes";
    this.update();
  }

  /** Shows what is known by now. */
  update() {
    const { review, trail } = this.judgement;
    const judged = (review?.points ?? []).map(({ ply, values }) => [ply, values]);
    const points = [...new Map([...trail, ...judged])].sort(([a], [b]) => a - b);
    const { players } = this.session.position;
    const series = Array.from({ length: players }, (_, index) => ({
      name: players === 1 ? "expected in all" : `Player ${index + 1}`,
      points: points.map(([x, values]) => ({ x, y: values[index] ?? NaN })),
    }));
    this.chart.show(series, this.#marks(review, series));
    this.ask.disabled = Boolean(this.judging) || this.session.position.played.length === 0;
    fill(this.mistakes, review ? this.#list(review) : null);
  }

  #marks(review, series) {
    const marked = (review?.moves ?? []).filter((move) => move.mark);
    return marked.flatMap((move) => {
      const point = series[move.player - 1]?.points.find(({ x }) => x > move.ply);
      return point && Number.isFinite(point.y) ? [{ x: point.x, y: point.y, kind: move.mark }] : [];
    });
  }

  #list(review) {
    const marked = review.moves.filter((move) => move.mark);
    const item = (move) => {
      const go = () => this.session.goTo(move.ply).catch(complain);
      const text = `${move.text} by player ${move.player}: ${value(move.value)}, `;
      const better = `${move.best} was worth ${value(move.best_value)}`;
      return h(
        "li",
        { class: move.mark },
        h("button", { type: "button", class: "link", onclick: go }, `Move ${move.ply + 1}`),
        ` ${move.mark}: ${text}${better}.`,
      );
    };
    const sure = review.exact ? "exact values" : "estimated values";
    const end = review.complete ? "" : ", not to the end";
    const judge = `Reviewed by ${review.judge} (${sure})${end}.`;
    return [
      h("p", { class: "hint" }, judge),
      marked.length
        ? h("ol", { class: "mistake-list" }, marked.map(item))
        : h("p", {}, "No mistakes."),
    ];
  }
}
