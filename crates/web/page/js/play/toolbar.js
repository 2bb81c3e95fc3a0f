// What can be done with the game on the table.

import { button, h } from "../dom.js";
import { complain } from "../notice.js";
import { copyLink } from "./share.js";

/** Take back, hint, restart and so on. */
export class Toolbar {
  constructor(session, judgement) {
    this.session = session;
    this.judgement = judgement;
    const act = (action) => () => Promise.resolve(action()).catch(complain);
    const tool = (text, key, action) =>
      button(text, act(action), { look: "quiet", title: `${text} (${key})` });
    this.back = tool("Take back", "u", () => session.takeBack());
    this.forward = tool("Forward", "]", () => session.stepForward());
    this.hint = tool("Hint", "h", () => judgement.hint());
    this.values = tool("Values", "v", () => judgement.toggle());
    this.restart = tool("Restart", "n", () => session.restart());
    this.swap = tool("Swap sides", "s", () => session.swap());
    this.link = tool("Copy link", "l", () => copyLink(session));
    this.run = button(
      "",
      act(() => session.run(!session.running)),
      { title: "Space" },
    );
    this.element = h(
      "div",
      { class: "toolbar", role: "toolbar", "aria-label": "The game" },
      this.run,
      this.back,
      this.forward,
      this.hint,
      this.values,
      this.restart,
      this.swap,
      this.link,
    );
  }

  /** Offers only what makes sense now. */
  update() {
    const { session } = this;
    const { position, seats } = session;
    const agents = seats.some((agent) => agent !== "human");
    this.run.hidden = !agents || position.over || (session.running && session.humanTurn);
    this.run.textContent = session.running ? "Pause" : "Let them play";
    this.run.classList.toggle("primary", !session.running);
    this.back.disabled = !position.plies.some((ply) => ply.player !== null);
    this.forward.hidden = session.undone.length === 0;
    this.hint.disabled = position.over;
    this.swap.hidden = position.players === 1;
    this.values.setAttribute("aria-pressed", String(this.judgement.shown));
  }
}
