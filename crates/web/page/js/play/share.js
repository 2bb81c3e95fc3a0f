// A link that shows this game and its moves to somebody else.

import { h } from "../dom.js";
import { toast } from "../notice.js";

/** Copies the link of the game, or shows it where copying is not allowed. */
export async function copyLink(session) {
  const link = new URL(session.link(), location.href).href;
  try {
    await navigator.clipboard.writeText(link);
    toast("The link is copied. It holds the game and its moves.");
  } catch {
    showLink(link);
  }
}

function showLink(link) {
  const line = h("input", { type: "text", readonly: true, value: link, "aria-label": "Link" });
  const close = () => dialog.close();
  const dialog = h(
    "dialog",
    { class: "sheet", "aria-labelledby": "link-title", onclose: () => dialog.remove() },
    h("h2", { id: "link-title" }, "A link to this game"),
    line,
    h("div", { class: "sheet-end" }, h("button", { type: "button", onclick: close }, "Close")),
  );
  document.body.append(dialog);
  dialog.showModal();
  line.select();
}
