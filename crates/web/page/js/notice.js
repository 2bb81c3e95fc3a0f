// Short messages: seen for a while, and read aloud.

import { h } from "./dom.js";

const SHOWN_FOR = 6000;

/** Says something in the corner of the page. `kind` is `note` or `error`. */
export function toast(text, kind = "note") {
  const box = document.getElementById("toasts");
  const message = h("div", { class: `toast ${kind}` }, text);
  box.append(message);
  while (box.children.length > 3) box.firstChild.remove();
  setTimeout(() => message.remove(), SHOWN_FOR);
}

/** Tells what went wrong, unless it was only given up. */
export function complain(error) {
  if (error.name === "AbortError") return;
  if (error.status === undefined) console.error(error);
  toast(error.message, "error");
}

/** Reads something aloud, to those who listen instead of look. */
export function announce(text) {
  const box = document.getElementById("announcer");
  box.append(h("p", {}, text));
  while (box.children.length > 8) box.firstChild.remove();
}
