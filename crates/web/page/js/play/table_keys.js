// Keys at the table.

import { complain } from "../notice.js";
import { copyLink } from "./share.js";
import { openSetup } from "./setup.js";

const SLIDES = { ArrowUp: "up", ArrowRight: "right", ArrowDown: "down", ArrowLeft: "left" };

/** The shortcuts of the table. */
export function tableKeys(table) {
  const { session, judgement } = table;
  const act = (action) => () => void Promise.resolve(action()).catch(complain);
  return [
    ["u", "take back", act(() => session.takeBack())],
    ["[", "one move back", act(() => session.stepBack())],
    ["]", "one move forward", act(() => session.stepForward())],
    ["h", "hint", act(() => judgement.hint())],
    ["v", "show or hide values", act(() => judgement.toggle())],
    ["n", "restart", act(() => session.restart())],
    ["s", "swap sides", act(() => session.swap())],
    ["e", "set up a position", act(() => openSetup(session))],
    ["l", "copy a link to this game", act(() => copyLink(session))],
    ["/", "type a move", act(() => table.entry.focus())],
    ["b", "to the board: arrow keys choose, Enter plays", act(() => table.board.focus())],
    [" ", "let agents go on, or wait", (event) => runOrPress(event, session)],
    ...Object.keys(SLIDES).map((key) => [key, "slide, or go over the board", arrow(table, key)]),
    ..."123456789".split("").map((key) => [key, "play the move of that name", digit(session, key)]),
  ];
}

// A button that has the focus is pressed by the space bar as everywhere.
function runOrPress(event, session) {
  if (event.target.closest("button, summary, a, [role=button]")) return false;
  session.run(!session.running);
  return true;
}

function arrow(table, key) {
  return (event) => {
    if (event.target.closest("[role=toolbar], [type=range], .scrolls")) return false;
    const { session } = table;
    const text = SLIDES[key];
    if (session.position.legal.some((move) => move.text === text) && session.humanTurn) {
      session.play(text).catch(complain);
    } else {
      table.board.focus();
    }
    return true;
  };
}

function digit(session, key) {
  return () => {
    const legal = session.position.legal.some((move) => move.text === key);
    if (!legal || !session.humanTurn) return false;
    session.play(key).catch(complain);
    return true;
  };
}
