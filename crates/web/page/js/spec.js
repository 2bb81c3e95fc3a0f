// Names with settings, as Ludens writes them: `mcts:iterations=500,value=(a,b)`.

/** The name and the settings of a text. */
export function parseSpec(text) {
  const colon = text.indexOf(":");
  if (colon < 0) return { name: text, settings: {} };
  const settings = {};
  for (const part of splitOutside(text.slice(colon + 1))) {
    const equals = part.indexOf("=");
    if (equals < 0) settings[""] = part;
    else settings[part.slice(0, equals).trim()] = unwrap(part.slice(equals + 1));
  }
  return { name: text.slice(0, colon), settings };
}

/** The text of a name with settings; those without a value are left out. */
export function writeSpec(name, settings = {}) {
  const given = Object.entries(settings).filter(([, value]) => value !== "" && value !== null);
  const parts = given.map(([key, value]) => (key ? `${key}=${wrap(String(value))}` : wrap(value)));
  return parts.length ? `${name}:${parts.join(",")}` : name;
}

/** Splits at commas that no bracket encloses. */
export function splitOutside(text) {
  const parts = [];
  let depth = 0;
  let part = "";
  for (const character of text) {
    depth += character === "(" ? 1 : character === ")" ? -1 : 0;
    if (character === "," && depth === 0) {
      parts.push(part);
      part = "";
    } else {
      part += character;
    }
  }
  return part ? [...parts, part] : parts;
}

function wrap(value) {
  return /[,=()]/.test(value) ? `(${value})` : value;
}

function unwrap(value) {
  return value.startsWith("(") && value.endsWith(")") ? value.slice(1, -1) : value;
}

/** A short name for people. */
export function shortAgent(text) {
  if (text === "human") return "You";
  const { name, settings } = parseSpec(text);
  if (name === "level") return `level ${settings.strength ?? ""} of ${shortAgent(settings.agent)}`;
  const first = Object.entries(settings)[0];
  return first ? `${name} (${first[0] ? `${first[0]} ` : ""}${first[1]})` : name;
}
