// Look inside: what agents think of the position, of the game so far, and why.

import { agentPicker } from "../agent_picker.js";
import { fill, h } from "../dom.js";
import { MoveList } from "../play/move_list.js";
import { evaluationBar } from "./evaluation_bar.js";
import { GameGraph } from "./game_graph.js";
import { heat, ring } from "./heat.js";
import { Opinions } from "./opinions.js";
import { studyTable } from "./study_table.js";
import { Tuples } from "./tuples.js";

/** Seconds for a judgement that nobody asked for. */
const BRIEFLY = 4;

/** The panel beside the board, and what is drawn over the board. */
export class InsidePanel {
  #isOpen = false;

  constructor(session, board, judgement, bar) {
    Object.assign(this, { session, board, judgement, bar });
    this.study = h("div", { class: "study", "aria-live": "off" });
    this.graph = new GameGraph(session, judgement);
    this.moves = new MoveList(session);
    this.opinions = new Opinions(session);
    this.tuples = new Tuples(session, board);
    const adviser = agentPicker(session.agents, {
      label: "Agent",
      agent: judgement.agent,
      opinion: true,
      onchange: (agent) => judgement.consult(agent),
    });
    const section = (title, ...parts) => h("section", {}, h("h2", {}, title), parts);
    this.element = h(
      "div",
      { class: "panel-parts" },
      section("This position", adviser, this.study),
      section("The game so far", this.graph.element, this.moves.element),
      section("Two opinions", this.opinions.element),
      section("Weights of the value", this.tuples.element),
    );
  }

  /** Works only while it is looked at. */
  open(isOpen) {
    this.#isOpen = isOpen;
    this.opinions.open(isOpen);
    this.tuples.open(isOpen);
    this.showJudgement();
    if (isOpen && !this.judgement.review) this.graph.judge(BRIEFLY);
  }

  /** Follows the session. */
  update(reason) {
    if (!this.#isOpen) return;
    this.opinions.update(reason);
    this.tuples.update(reason);
    if (this.session.position.over && reason === "played") this.graph.judge(BRIEFLY);
  }

  /** Shows what the agent thinks now. */
  showJudgement() {
    const { study, shown, review } = this.judgement;
    fill(this.bar, shown && study ? evaluationBar(study) : null);
    this.board.overlay("heat", shown && study ? heat(this.board, study) : []);
    this.board.overlay("hinted", this.#hint());
    if (!this.#isOpen) return;
    fill(this.study, studyTable(study, this.session));
    this.graph.update();
    const marked = (review?.moves ?? []).filter((move) => move.mark);
    this.moves.update(new Map(marked.map((move) => [move.ply, move.mark])));
  }

  #hint() {
    const { hinted } = this.judgement;
    const move = this.session.position.legal.find(({ text }) => text === hinted);
    return move ? ring(this.board, move.id) : [];
  }
}
