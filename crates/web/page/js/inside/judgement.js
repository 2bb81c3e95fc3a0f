// What an agent thinks of the position on the table, kept up to date.

import { post } from "../api.js";
import { announce, complain, toast } from "../notice.js";
import { value } from "../format.js";

/** An agent's study of the position. Tells of news by the event `change`. */
export class Judgement extends EventTarget {
  study = null;
  agent = null;
  review = null;
  hinted = null;
  trail = new Map();
  #session;
  #watching = false;
  #pressed = { play: false, inside: true };
  #asked = null;

  constructor(session) {
    super();
    this.#session = session;
    this.agent = session.agents.adviser;
  }

  /** Whether values are shown on the board. */
  get shown() {
    return this.#watching ? this.#pressed.inside : this.#pressed.play;
  }

  /** Shows or hides the values. */
  toggle() {
    const view = this.#watching ? "inside" : "play";
    this.#pressed[view] = !this.#pressed[view];
    return this.#ask();
  }

  /** Follows the game closely, or only if values are shown. */
  watch(watching) {
    this.#watching = watching;
    return this.#ask();
  }

  /** Asks another agent from now on. */
  consult(agent) {
    this.agent = agent;
    this.trail.clear();
    this.review = null;
    return this.#ask();
  }

  /** Follows the session. */
  update(reason) {
    const { played } = this.#session.position;
    if (reason === "opened") {
      this.trail.clear();
      this.review = null;
    } else if (reason === "played") {
      for (const ply of this.trail.keys()) if (ply > played.length) this.trail.delete(ply);
      if (this.review && !startsWith(played, this.review.played)) this.review = null;
    }
    this.hinted = null;
    if (reason !== "seats" && reason !== "running") this.study = null;
    return this.#ask();
  }

  async #ask() {
    this.dispatchEvent(new CustomEvent("change"));
    if (!this.shown && !this.#watching) return;
    if (this.study?.asked === this.agent) return;
    await this.#look().catch(complain);
    this.dispatchEvent(new CustomEvent("change"));
  }

  async #look() {
    this.#asked?.abort();
    this.#asked = new AbortController();
    const [agent, { position }] = [this.agent, this.#session];
    const request = { ...this.#session.request(), agent };
    const study = await post("study", request, this.#asked.signal);
    if (position !== this.#session.position) return;
    this.study = { ...study, asked: agent };
    this.trail.set(position.played.length, total(study.values, position));
  }

  /** Marks the move that the agent would play. */
  async hint() {
    if (this.#session.position.over) return;
    if (this.study?.asked !== this.agent) await this.#look();
    if (!this.study?.best) return;
    this.hinted = this.study.best;
    const worth = this.study.value === null ? "" : `, worth ${value(this.study.value)}`;
    const text = `${this.study.agent} would play ${this.study.best}${worth}.`;
    toast(text);
    announce(text);
    this.dispatchEvent(new CustomEvent("change"));
  }

  /** Judges every move of the game. */
  async judgeGame(seconds) {
    const { position } = this.#session;
    const request = { ...this.#session.request(), agent: this.agent, seconds };
    const review = await post("review", request);
    if (position !== this.#session.position) return;
    this.review = { ...review, played: position.played };
    this.dispatchEvent(new CustomEvent("change"));
  }

  close() {
    this.#asked?.abort();
  }
}

/** What each player has and may expect; at the end that is the same. */
function total(values, { over, rewards }) {
  const sum = (value, index) => (value === null ? null : value + rewards[index]);
  return over ? values : values.map(sum);
}

function startsWith(list, start) {
  return start.every((entry, index) => entry === list[index]);
}
