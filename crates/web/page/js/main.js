// The page begins here: theme, keys, and the view that the address names.

import { openTable } from "./play/table.js";
import { openRuns } from "./runs/runs.js";
import { openCompare } from "./compare/compare.js";
import { openRead } from "./read.js";
import { bindKeys, listenToKeys, showKeys } from "./keys.js";
import { announce, complain } from "./notice.js";
import { Router } from "./router.js";
import { chosenTheme, nextTheme, useTheme } from "./theme.js";

const VIEWS = {
  play: openTable,
  inside: openTable,
  runs: openRuns,
  compare: openCompare,
  read: openRead,
};
const TITLES = {
  play: "Play",
  inside: "Look inside",
  runs: "Watch",
  compare: "Compare",
  read: "Read",
};

function markView({ name }) {
  document.title = `${TITLES[name] ?? "Play"} · Ludens`;
  for (const link of document.querySelectorAll(".views a")) {
    const here = link.dataset.view === name;
    if (here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

function changeTheme() {
  announce(nextTheme());
}

function go(view) {
  return () => document.querySelector(`.views a[data-view=${view}]`).click();
}

useTheme(chosenTheme());
document.getElementById("theme-button").addEventListener("click", changeTheme);
document.getElementById("keys-button").addEventListener("click", showKeys);
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  document.getElementById("main").focus();
});
addEventListener("unhandledrejection", (event) => {
  event.preventDefault();
  complain(event.reason);
});
bindKeys("Everywhere", [
  ["?", "show these keys", showKeys],
  ["t", "change between light and dark", changeTheme],
  ["g p", "go to Play", go("play")],
  ["g i", "go to Look inside", go("inside")],
  ["g w", "go to Watch", go("runs")],
  ["g c", "go to Compare", go("compare")],
  ["g r", "go to Read", go("read")],
]);
listenToKeys();
new Router(VIEWS, document.getElementById("main"), markView).follow();
