// Read: the rules of each game, the methods, and the reports of experiments.

import { get } from "./api.js";
import { fill, h } from "./dom.js";
import { address } from "./router.js";

const KINDS = [
  ["game", "Games"],
  ["report", "Reports"],
  ["method", "Methods"],
  ["guide", "Guides"],
];

/** Opens the shelf of pages, and one of them. */
export async function openRead(main, route) {
  const { pages } = await get("pages");
  const view = new ReadView(main, pages);
  view.show(route.rest);
  return { follow: (next) => view.show(next.rest) };
}

class ReadView {
  constructor(main, pages) {
    this.pages = pages;
    this.shelf = h("nav", { class: "shelf", "aria-label": "Pages" });
    this.article = h("article", { class: "card prose", tabindex: "-1" });
    this.article.addEventListener("click", (event) => this.#jump(event));
    const body = h("div", { class: "read" }, this.shelf, this.article);
    main.replaceChildren(h("div", { class: "page" }, body));
    const group = ([kind, title]) => {
      const list = pages.filter((page) => page.kind === kind);
      const link = (page) => h("li", {}, h("a", { href: `#/read/${page.id}` }, page.title));
      const open = kind !== "method" && kind !== "guide";
      const items = h("ul", {}, list.map(link));
      return list.length ? h("details", { open }, h("summary", {}, title), items) : null;
    };
    fill(this.shelf, KINDS.map(group));
  }

  /** Shows a page; the first if none is named. */
  show(id) {
    const first = this.pages.find(({ kind }) => kind === "game") ?? this.pages[0];
    const wanted = id || first?.id;
    if (wanted) this.#load(wanted);
    return true;
  }

  // An address with a bare # is a place on this page, not another view.
  #jump(event) {
    const target = event.target.closest("a")?.getAttribute("href") ?? "";
    if (!target.startsWith("#") || target.startsWith("#/")) return;
    event.preventDefault();
    document.getElementById(decodeURIComponent(target.slice(1)))?.scrollIntoView();
  }

  async #load(id) {
    for (const link of this.shelf.querySelectorAll("a")) {
      const here = link.getAttribute("href") === `#/read/${id}`;
      if (here) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
      if (here) link.closest("details").open = true;
    }
    try {
      const page = await get(`pages/${id.split("/").map(encodeURIComponent).join("/")}`);
      this.article.innerHTML = page.html;
      this.#finish(page);
    } catch (error) {
      fill(this.article, h("h1", {}, "No such page"), h("p", {}, error.message));
    }
  }

  #finish(page) {
    document.title = `${page.title} · Ludens`;
    [...this.article.querySelectorAll("table")].forEach((table, index) => {
      const label = `Table ${index + 1}`;
      const attributes = { class: "scrolls", tabindex: "0", role: "region", "aria-label": label };
      const box = h("div", attributes);
      table.classList.add("plain");
      table.replaceWith(box);
      box.append(table);
    });
    for (const heading of this.article.querySelectorAll("h2, h3")) {
      heading.id = heading.textContent.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-");
    }
    for (const code of this.article.querySelectorAll("pre")) code.setAttribute("tabindex", "0");
    if (page.kind !== "game") return;
    const game = page.id.split("/").at(-1);
    const play = h("a", { class: "button", href: address("play", [["game", game]]) }, "Play it");
    this.article.querySelector("h1")?.after(h("p", {}, play));
  }
}
