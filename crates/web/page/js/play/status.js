// One line that says whose turn it is, or how the game ended.

import { h } from "../dom.js";
import { whole } from "../format.js";
import { shortAgent } from "../spec.js";

/** What the status line shows. */
export function statusLine(session) {
  const { position, thinking } = session;
  if (position.over) return [h("strong", {}, position.outcome), gains(position)];
  const agent = session.seats[position.turn - 1];
  const one = position.players === 1;
  const chip = one ? null : playerChip(position.turn);
  return [chip, h("strong", {}, words(session, agent, thinking)), gains(position)];
}

function words({ position, running }, agent, thinking) {
  const who = position.players === 1 ? "" : `Player ${position.turn}: `;
  if (agent === "human") return position.players === 1 ? "Your move" : `${who}your move`;
  if (thinking) return `${who}${shortAgent(agent)} thinks …`;
  return running ? `${who}${shortAgent(agent)}` : `${who}${shortAgent(agent)} waits`;
}

// Points gathered on the way are worth showing; a win at the end is told in words.
function gains({ rewards, players, over }) {
  const matters = players === 1 ? true : rewards.some((reward) => Math.abs(reward) > 1);
  if (!matters || (over && players === 1)) return null;
  const points = rewards.map((reward) => whole(reward)).join(" : ");
  return h("span", { class: "gains" }, `${points} points`);
}

/** A dot in the colour of a player. */
export function playerChip(player) {
  return h("span", { class: `player-dot player-${player}`, "aria-hidden": "true" });
}
