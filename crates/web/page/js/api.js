// Questions to the server, and its live streams.

/** The server said no, and why. */
export class Refusal extends Error {
  constructor(status, error) {
    super(error.reason);
    this.status = status;
    this.code = error.code;
    this.field = error.field ?? null;
  }
}

const PATIENCE = 5;

/** Asks for something; `signal` ends the wait. */
export function get(path, signal) {
  return ask(path, { signal });
}

/** Sends something and returns the answer. */
export function post(path, body, signal) {
  const headers = { "Content-Type": "application/json" };
  return ask(path, { method: "POST", headers, body: JSON.stringify(body), signal });
}

/** Removes something. */
export function remove(path) {
  const headers = { "Content-Type": "application/json" };
  return ask(path, { method: "DELETE", headers, body: "{}" });
}

async function ask(path, options, attempt = 1) {
  const reply = await reach(path, options);
  if (reply.status === 503 && attempt < PATIENCE && (await code(reply.clone())) === "busy") {
    await new Promise((resolve) => setTimeout(resolve, 1000 * Number(pause(reply))));
    return ask(path, options, attempt + 1);
  }
  if (!reply.ok) throw new Refusal(reply.status, await reason(reply));
  return reply.status === 204 ? null : reply.json();
}

async function reach(path, options) {
  try {
    return await fetch(`/api/${path}`, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    const text = "The server does not answer. Is `ludens serve` still running?";
    throw new Refusal(0, { code: "unreachable", reason: text });
  }
}

function pause(reply) {
  return reply.headers.get("Retry-After") ?? 1;
}

async function code(reply) {
  return (await reason(reply)).code;
}

async function reason(reply) {
  if (reply.status === 401) {
    return { code: "token", reason: "Open the link that ludens printed: it contains the token." };
  }
  try {
    return (await reply.json()).error;
  } catch {
    return { code: "bug", reason: `The server answered ${reply.status} without a reason.` };
  }
}

/**
 * Listens to a live stream while the page is looked at: `handlers` maps names of events to
 * functions of their data. Returns what ends it.
 *
 * Browsers allow a few connections at once; pages that nobody sees must not hold them.
 */
export function listen(path, handlers) {
  let source = null;
  const open = () => {
    if (source || document.hidden) return;
    source = new EventSource(`/api/${path}`);
    for (const [name, handle] of Object.entries(handlers)) {
      source.addEventListener(name, (event) => handle(JSON.parse(event.data)));
    }
  };
  const close = () => {
    source?.close();
    source = null;
  };
  const ended = new AbortController();
  const { signal } = ended;
  addEventListener("pagehide", close, { signal });
  addEventListener("pageshow", open, { signal });
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()), {
    signal,
  });
  open();
  return () => {
    ended.abort();
    close();
  };
}

/** A query text from `[key, value]` pairs, without those that have no value. */
export function query(pairs) {
  const given = pairs.filter(([, value]) => value !== null && value !== undefined);
  return given.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join("&");
}
