// A game that somebody plays here: the position, who sits where, and whose turn it is to act.

import { get, post } from "../api.js";
import { address } from "../router.js";
import { splitOutside } from "../spec.js";

const PACE_KEY = "ludens-pace";

/** A game at the table. Tells of every change by the event `change`. */
export class Session extends EventTarget {
  game = "";
  info = null;
  agents = null;
  seats = [];
  start = null;
  seed = 1;
  position = null;
  undone = [];
  running = true;
  thinking = null;
  pace = Number(localStorage.getItem(PACE_KEY) ?? 0.6);
  #wait = null;
  #asked = null;

  /** The session that an address describes. */
  static async open(query) {
    const session = new Session();
    session.game = query.get("game");
    session.start = query.get("start");
    session.seed = Number(query.get("seed") ?? freshSeed());
    const played = splitOutside(query.get("moves") ?? "");
    const game = encodeURIComponent(session.game);
    [session.position, session.info, session.agents] = await Promise.all([
      post("position", session.request(played)),
      get(`games/${game}`),
      get(`agents?game=${game}`),
    ]);
    session.seats = session.#usualSeats(query.getAll("seat"));
    return session;
  }

  #usualSeats(asked) {
    const { levels } = this.agents;
    const casual = levels.find(({ title }) => title.startsWith("Casual")) ?? levels[0];
    const other = casual?.agent ?? "random";
    const usual = (_, index) => asked[index] ?? (index === 0 ? "human" : other);
    return Array.from({ length: this.position.players }, usual);
  }

  /** The position as questions to the server name it. */
  request(played = this.position.played) {
    return { game: this.game, start: this.start, played, seed: this.seed };
  }

  /** The address that shows this position to somebody else. */
  link(view = "play") {
    const { played } = this.position;
    return address(view, [
      ["game", this.game],
      ...this.seats.map((agent) => ["seat", agent]),
      ["seed", this.seed],
      ["start", this.start],
      ["moves", played.length ? played.join(",") : null],
    ]);
  }

  /** Who is to move, or nothing if the game is over. */
  get mover() {
    return this.position.over ? null : this.seats[this.position.turn - 1];
  }

  /** Whether a person is to move. */
  get humanTurn() {
    return this.mover === "human";
  }

  /** Plays a person's move. */
  async play(text) {
    this.#halt();
    this.running = this.seats.includes("human") || this.running;
    await this.#take(post("play", { ...this.request(), move: text }), "played");
  }

  /** Takes back to before the last move of a person, or of anybody if no person plays. */
  takeBack() {
    const { plies } = this.position;
    const mine = (ply) => ply.player !== null && this.seats[ply.player - 1] === "human";
    const index = plies.findLastIndex(mine);
    return index >= 0 ? this.goTo(index) : this.stepBack();
  }

  /** Shows the position one move earlier; agents wait. */
  stepBack() {
    const index = this.position.plies.findLastIndex((ply) => ply.player !== null);
    return index >= 0 ? this.goTo(index) : Promise.resolve();
  }

  /** Shows the position one move later, of those taken back. */
  stepForward() {
    if (this.undone.length === 0) return Promise.resolve();
    const later = this.undone.findIndex((text, index) => index > 0 && !text.startsWith("("));
    const count = later < 0 ? this.undone.length : later;
    return this.goTo(this.position.played.length + count);
  }

  /** Shows the position after the first `count` entries; the others can be shown again. */
  async goTo(count) {
    this.#halt();
    const all = [...this.position.played, ...this.undone];
    const reason = count < this.position.played.length ? "back" : "played";
    const asked = post("position", this.request(all.slice(0, count)));
    await this.#take(asked, reason, () => {
      this.running = this.humanTurn && this.seats.includes("human");
    });
  }

  /** Begins again, with new luck. */
  restart() {
    this.seed = freshSeed();
    return this.#begin();
  }

  /** Begins from a state. */
  async setUp(start) {
    const old = this.start;
    this.start = start;
    try {
      await this.#begin();
    } catch (error) {
      this.start = old;
      throw error;
    }
  }

  async #begin() {
    this.#halt();
    const position = await post("position", this.request([]));
    this.undone = [];
    this.position = position;
    this.running = this.seats.includes("human");
    this.#tell("opened");
  }

  /** Everybody moves one seat on. */
  swap() {
    this.seats = [...this.seats.slice(1), this.seats[0]];
    this.running = this.seats.includes("human");
    this.#tell("seats");
  }

  /** Gives a seat to an agent. */
  seat(index, agent) {
    this.seats = this.seats.with(index, agent);
    this.running = this.seats.includes("human");
    this.#tell("seats");
  }

  /** Lets agents go on, or wait. */
  run(running) {
    this.running = running;
    this.#tell("running");
  }

  /** Sets how many seconds pass between moves of agents. */
  setPace(seconds) {
    this.pace = seconds;
    localStorage.setItem(PACE_KEY, seconds);
  }

  /** Lets the agent whose turn it is act after a while, if agents may go on. */
  #advance() {
    this.#halt();
    if (!this.running || this.position.over || this.humanTurn) return;
    this.#wait = setTimeout(() => this.#choose(), 1000 * this.pace);
  }

  async #choose() {
    this.thinking = this.mover;
    this.dispatchEvent(new CustomEvent("thinking"));
    this.#asked = new AbortController();
    const request = { ...this.request(), agent: this.mover };
    try {
      const asked = post("choose", request, this.#asked.signal);
      await this.#take(
        asked.then((reply) => reply.position),
        "played",
      );
    } catch (error) {
      if (error.name === "AbortError") return;
      this.thinking = null;
      this.running = false;
      this.#tell("running");
      throw error;
    }
  }

  async #take(asked, reason, before = () => {}) {
    const game = this.position;
    const position = await asked;
    // An answer about a position that is no longer shown is of no use.
    if (this.position !== game) return;
    const all = [...game.played, ...this.undone];
    const same = position.played.every((text, index) => text === all[index]);
    this.undone = same ? all.slice(position.played.length) : [];
    this.position = position;
    before();
    this.#tell(reason);
  }

  #halt() {
    clearTimeout(this.#wait);
    this.#asked?.abort();
    this.thinking = null;
  }

  #tell(reason) {
    this.thinking = null;
    this.dispatchEvent(new CustomEvent("change", { detail: reason }));
    this.#advance();
  }

  /** Begins to act. Agents wait for a click: the address that names them may be a stranger's. */
  begin() {
    this.running = this.humanTurn;
    this.#tell("opened");
  }

  /** Ends everything that is under way. */
  close() {
    this.#halt();
    this.running = false;
  }
}

function freshSeed() {
  return 1 + Math.floor(Math.random() * 1_000_000);
}
