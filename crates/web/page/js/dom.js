// Elements of the page, made in one expression.

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element with attributes, listeners (`onclick`) and children. */
export function h(tag, attributes = {}, ...children) {
  return furnish(document.createElement(tag), attributes, children);
}

/** An SVG element with attributes, listeners and children. */
export function s(tag, attributes = {}, ...children) {
  return furnish(document.createElementNS(SVG, tag), attributes, children);
}

function furnish(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "value" && "value" in element) element.value = value;
    else if (key === "checked") element.checked = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter(shown));
  if (tagNeedsValueAgain(element, attributes)) element.value = attributes.value;
  return element;
}

// A select knows its options only after they were appended.
function tagNeedsValueAgain(element, attributes) {
  return element.tagName === "SELECT" && attributes.value !== undefined;
}

function shown(child) {
  return child !== null && child !== undefined && child !== false;
}

/** Replaces what an element holds. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter(shown));
  return element;
}

/** The elements of an SVG text that the server sent. */
export function parseSvg(text) {
  const picture = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  return document.importNode(picture, true);
}

/** Text for screen readers only. */
export function unseen(text) {
  return h("span", { class: "unseen" }, text);
}

let count = 0;

/** An id that no other element has. */
export function freshId(prefix) {
  count += 1;
  return `${prefix}-${count}`;
}

/** A labelled control: the label above, an explanation below. */
export function field(label, control, hint = null) {
  control.id ||= freshId("field");
  const about = hint ? h("small", { class: "hint", id: `${control.id}-hint` }, hint) : null;
  if (about) control.setAttribute("aria-describedby", about.id);
  return h("div", { class: "field" }, h("label", { for: control.id }, label), control, about);
}

/** A checkbox with its label behind it. */
export function check(label, attributes = {}) {
  return h("label", { class: "check" }, h("input", { type: "checkbox", ...attributes }), label);
}

/** A choice from `[value, text]` pairs. */
export function select(options, attributes = {}) {
  const option = ([value, text]) => h("option", { value }, text);
  return h("select", attributes, options.map(option));
}

/** A table: what its columns are called, and its rows. */
export function table(heads, rows) {
  const head = heads.map((text) => h("th", { scope: "col" }, text));
  return h("table", { class: "plain" }, h("thead", {}, h("tr", {}, head)), h("tbody", {}, rows));
}

/** A button; `look` is `primary`, `quiet` or nothing. */
export function button(text, onclick, { look = "", ...attributes } = {}) {
  return h("button", { type: "button", class: look, onclick, ...attributes }, text);
}
