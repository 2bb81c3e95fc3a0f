// All games, each with a picture of its board.

import { get } from "../api.js";
import { picture } from "../board.js";
import { h } from "../dom.js";
import { address } from "../router.js";

/** Shows the games to choose from. */
export async function openGallery(main, view) {
  const { games } = await get("games");
  const intro =
    view === "inside"
      ? "Choose a game, then see what agents think of every move."
      : "Choose a game. You play against agents that search or that taught themselves.";
  main.replaceChildren(
    h(
      "div",
      { class: "page" },
      h("header", { class: "hero" }, h("h1", {}, "What shall we play?"), h("p", {}, intro)),
      h(
        "ul",
        { class: "gallery" },
        games.map((game) => card(game, view)),
      ),
    ),
  );
}

function card(game, view) {
  const board = picture(game.picture);
  board.removeAttribute("role");
  board.setAttribute("aria-hidden", "true");
  return h(
    "li",
    {},
    h(
      "a",
      { class: "card game-card", href: address(view, [["game", game.name]]) },
      h("div", { class: "game-picture" }, board),
      h("h2", {}, game.title),
      h("p", {}, game.about),
      h(
        "p",
        { class: "facts" },
        facts(game).map((fact) => h("span", { class: "chip" }, fact)),
      ),
    ),
  );
}

function facts(game) {
  const players = game.players === 1 ? "1 player" : `${game.players} players`;
  const chance = game.chance ? ["with chance"] : [];
  const perfect = game.perfect ? ["solved"] : [];
  return [players, ...chance, ...perfect];
}
