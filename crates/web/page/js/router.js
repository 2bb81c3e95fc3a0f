// Which view is open, by what stands behind the # of the address.

import { query } from "./api.js";

/** The route of an address: name of the view, the rest of the path, and the query. */
export function parseRoute(hash) {
  const [path, search = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const [name, ...rest] = path.split("/").map(decodeURIComponent);
  return { name: name || "play", rest: rest.join("/"), query: new URLSearchParams(search) };
}

/** The address of a view. */
export function address(path, pairs = []) {
  const text = query(pairs);
  return `#/${path}${text ? `?${text}` : ""}`;
}

/** Shows another address without opening the view again. */
export function showAddress(hash) {
  if (hash !== location.hash) history.replaceState(null, "", hash);
}

/** Opens views as the address changes; `views` maps names to functions that open them. */
export class Router {
  constructor(views, main, opened) {
    this.views = views;
    this.main = main;
    this.opened = opened;
    this.current = null;
    this.close = () => {};
    addEventListener("hashchange", () => this.follow());
  }

  /** Opens what the address names; a view that is open already may follow it itself. */
  async follow() {
    const route = parseRoute(location.hash);
    const view = this.views[route.name] ?? this.views.play;
    if (view === this.current?.view && this.current.follow?.(route)) {
      this.opened(route);
      return;
    }
    this.close();
    this.current = { view };
    this.opened(route);
    this.main.replaceChildren();
    scrollTo(0, 0);
    const current = this.current;
    const { close = () => {}, follow = null } = (await view(this.main, route)) ?? {};
    if (this.current !== current) {
      close();
      return;
    }
    current.follow = follow;
    this.close = close;
  }
}
