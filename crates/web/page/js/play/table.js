// The table: a board, who plays, and what agents think. Both Play and Look inside show it.

import { Board, picture } from "../board.js";
import { fill, h } from "../dom.js";
import { InsidePanel } from "../inside/panel.js";
import { Judgement } from "../inside/judgement.js";
import { bindKeys } from "../keys.js";
import { announce, complain } from "../notice.js";
import { showAddress } from "../router.js";
import { openGallery } from "./gallery.js";
import { GamePanel } from "./game_panel.js";
import { tableKeys } from "./table_keys.js";
import { MoveEntry } from "./move_entry.js";
import { Session } from "./session.js";
import { useStones } from "./stones.js";
import { statusLine } from "./status.js";
import { Toolbar } from "./toolbar.js";

/** The game that is being played, kept while other views are looked at. */
let session = null;

/** Opens the table, or the gallery if no game was chosen. */
export async function openTable(main, route) {
  const asked = route.query.get("game");
  if (route.rest === "games" || (!asked && !session)) {
    await openGallery(main, route.name === "inside" ? "inside" : "play");
    return { follow: () => false };
  }
  if (asked && !isShown(route)) {
    session?.close();
    try {
      session = await Session.open(route.query);
    } catch (error) {
      session = null;
      return showMissing(main, error);
    }
  }
  const table = new Table(main, session);
  table.turnTo(route.name);
  return { close: () => table.close(), follow: (next) => table.follow(next) };
}

function isShown(route) {
  const view = route.name === "inside" ? "inside" : "play";
  return session !== null && location.hash === session.link(view);
}

function showMissing(main, error) {
  const back = h("a", { class: "button", href: "#/play/games" }, "All games");
  const text = h("p", {}, error.message);
  main.replaceChildren(h("div", { class: "page notice" }, h("h1", {}, "No such game"), text, back));
  return { follow: () => false };
}

/** Everything on the table, kept in step with the session. */
class Table {
  constructor(main, session) {
    this.session = session;
    this.view = null;
    this.judgement = new Judgement(session);
    const play = (text) => session.play(text).catch(complain);
    this.frame = h("div", { class: "board-frame" });
    this.board = new Board(this.frame, play);
    this.status = h("p", { class: "status", id: "status" });
    this.bar = h("div", { class: "bar-slot" });
    this.entry = new MoveEntry(session, play);
    this.toolbar = new Toolbar(session, this.judgement);
    this.game = new GamePanel(session);
    this.inside = new InsidePanel(session, this.board, this.judgement, this.bar);
    this.panel = h("aside", { class: "panel", "aria-label": "Details" });
    this.element = this.#layout();
    useStones(this.element, picture(session.info.picture));
    main.replaceChildren(this.element);
    this.listeners = new AbortController();
    const { signal } = this.listeners;
    session.addEventListener("change", (event) => this.#update(event.detail), { signal });
    session.addEventListener("thinking", () => this.#showStatus(), { signal });
    this.judgement.addEventListener("change", () => this.#showJudgement(), { signal });
    this.unbind = bindKeys("At the table", tableKeys(this));
    this.#update("opened");
    session.begin();
  }

  #layout() {
    const { info } = this.session;
    return h(
      "div",
      { class: "table" },
      h(
        "section",
        { class: "stage", "aria-label": info.title },
        h(
          "header",
          { class: "stage-head" },
          h("h1", {}, info.title),
          h(
            "p",
            { class: "links" },
            info.page ? h("a", { href: `#/read/${info.page}` }, "Rules") : null,
            h("a", { href: "#/play/games" }, "All games"),
          ),
        ),
        this.status,
        this.bar,
        this.frame,
        this.entry.element,
        this.toolbar.element,
      ),
      this.panel,
    );
  }

  /** Shows the panel of a view. */
  turnTo(name) {
    this.view = name === "inside" ? "inside" : "play";
    const shown = this.view === "inside" ? this.inside : this.game;
    fill(this.panel, shown.element);
    this.game.update("shown");
    this.inside.open(this.view === "inside");
    this.judgement.watch(this.view === "inside");
    showAddress(this.session.link(this.view));
  }

  /** Follows the address within the table; false if it leads elsewhere. */
  follow(route) {
    const stays = !route.query.get("game") && route.rest === "";
    if (!stays && !isShown(route)) return false;
    this.turnTo(route.name);
    return true;
  }

  #update(reason) {
    const { session } = this;
    this.#showStatus();
    this.board.show(session.position, {
      open: session.humanTurn || (!session.running && !session.position.over),
      lively: reason === "played",
    });
    useStones(this.element, this.frame);
    this.entry.update();
    this.toolbar.update();
    this.game.update(reason);
    this.judgement.update(reason);
    this.inside.update(reason);
    if (this.view) showAddress(session.link(this.view));
    if (reason !== "seats") announce(this.#news(reason));
  }

  #showStatus() {
    fill(this.status, statusLine(this.session));
    this.frame.classList.toggle("thinking", this.session.thinking !== null);
  }

  #showJudgement() {
    this.inside.showJudgement();
    this.entry.showValues(this.judgement.shown ? this.judgement.study : null);
    this.toolbar.update();
  }

  #news(reason) {
    const { position } = this.session;
    const last = position.plies.at(-1);
    const who = last?.player ? `player ${last.player} played` : "chance drew";
    const news = reason === "played" && last ? `${who} ${last.text}. ` : "";
    return `${news}${position.over ? position.outcome : `Player ${position.turn} to move.`}`;
  }

  close() {
    this.listeners.abort();
    this.unbind();
    this.judgement.close();
    this.session.close();
  }
}
