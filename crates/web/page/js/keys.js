// Keys that do something everywhere on a view, and the page that lists them.

import { button, check, fill, h } from "./dom.js";

const KEY = "ludens-keys";
const tables = new Map();
let first = null;

/** Shortcuts of a view: `[key, what it does, function]`; returns what takes them away. */
export function bindKeys(title, bindings) {
  tables.set(title, bindings);
  return () => tables.get(title) === bindings && tables.delete(title);
}

/** Whether single keys are shortcuts. */
export function keysOn() {
  return localStorage.getItem(KEY) !== "off";
}

/** Listens to the keyboard. */
export function listenToKeys() {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !keysOn()) return;
    if (writes(event.target) || document.querySelector("dialog[open]")) return;
    const pressed = first ? `${first} ${event.key}` : event.key;
    first = null;
    const action = find(pressed);
    if (action && action(event) !== false) {
      event.preventDefault();
    } else if (startsSomething(event.key)) {
      first = event.key;
    }
  });
}

function find(pressed) {
  const bindings = [...tables.values()].flat();
  return bindings.find(([key]) => key === pressed)?.[2];
}

function startsSomething(key) {
  return [...tables.values()].flat().some(([other]) => other.startsWith(`${key} `));
}

/** Whether an element takes what is typed. */
export function writes(element) {
  const typed = "input:not([type=checkbox], [type=radio], [type=range], [type=button])";
  return element.matches?.(`${typed}, textarea, select`) ?? false;
}

const NAMES = { " ": "Space", ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓" };

/** Shows all keys that do something now. */
export function showKeys() {
  const close = () => dialog.close();
  const dialog = h(
    "dialog",
    { class: "sheet", "aria-labelledby": "keys-title", onclose: () => dialog.remove() },
    h("h2", { id: "keys-title" }, "Keyboard"),
    h("div", { class: "key-tables" }, [...tables].map(keyTable)),
    check("Single keys are shortcuts", {
      checked: keysOn(),
      onchange: (event) => localStorage.setItem(KEY, event.target.checked ? "on" : "off"),
    }),
    h("div", { class: "sheet-end" }, button("Close", close, { look: "primary" })),
  );
  document.body.append(dialog);
  dialog.showModal();
}

function keyTable([title, bindings]) {
  const rows = new Map();
  for (const [key, about] of bindings) {
    if (about) rows.set(about, [...(rows.get(about) ?? []), key]);
  }
  const keys = (list) => list.map((key) => h("kbd", {}, name(key)));
  const row = ([about, list]) => [h("dt", {}, keys(list)), h("dd", {}, about)];
  return h("section", {}, h("h3", {}, title), fill(h("dl"), [...rows].map(row)));
}

function name(key) {
  return key
    .split(/(?<=.) (?=.)/)
    .map((part) => NAMES[part] ?? part)
    .join(" then ");
}
