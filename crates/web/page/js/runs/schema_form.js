// A form built from a JSON schema: whatever can be set appears, without a line of code for it.

import { check, field, fill, h, select } from "../dom.js";
import { Schema } from "./schema.js";

/**
 * Controls for every property of the schema's root but those `skipped`. Changes go into `config`,
 * and `onchange` gets it.
 */
export function schemaForm(root, config, skipped, onchange) {
  const form = new Form(new Schema(root), () => onchange(config));
  return h("div", { class: "schema" }, form.properties(root, config, skipped));
}

class Form {
  constructor(schema, changed) {
    this.schema = schema;
    this.changed = changed;
  }

  /** One control for each property of an object; groups come last. */
  properties(node, holder, skipped = []) {
    const keys = Object.keys(node.properties).filter((key) => !skipped.includes(key));
    const made = keys.map((key) => this.#control(key, node.properties[key], holder));
    const isGroup = (element) => element.tagName === "FIELDSET";
    const plain = made.filter((element) => !isGroup(element));
    return [plain.length ? h("div", { class: "settings" }, plain) : null, made.filter(isGroup)];
  }

  #control(key, child, holder) {
    const node = this.schema.resolve(child);
    const now = holder[key] ?? this.schema.initial(node);
    const variants = this.schema.variants(node);
    if (variants) return this.#choice(key, node, variants, now, holder);
    if (!node.properties) return this.#simple(key, node, now, holder);
    holder[key] = now;
    return group(key, this.properties(node, now));
  }

  #keeper(key, holder) {
    return (value) => {
      holder[key] = value;
      this.changed();
    };
  }

  #simple(key, node, now, holder) {
    const keep = this.#keeper(key, holder);
    const types = [node.type].flat();
    if (types.includes("boolean")) {
      const onchange = (event) => keep(event.target.checked);
      const box = check(key, { checked: now === true, onchange });
      return h("div", { class: "field" }, box, h("small", { class: "hint" }, node.description));
    }
    if (types.includes("integer") || types.includes("number")) {
      return this.#number(key, node, now, keep);
    }
    const onchange = (event) => keep(read(event.target.value, types));
    const value = typeof now === "string" ? now : now === null ? "" : JSON.stringify(now);
    const input = h("input", { type: "text", value, spellcheck: "false", onchange });
    return field(key, input, node.description);
  }

  #number(key, node, now, keep) {
    const step = [node.type].flat().includes("integer") ? 1 : "any";
    const onchange = ({ target }) =>
      target.reportValidity() && keep(target.value === "" ? null : Number(target.value));
    const limits = { min: node.minimum, max: node.maximum, step };
    const input = h("input", { type: "number", value: tidy(now), ...limits, onchange });
    return field(key, input, node.description);
  }

  #choice(key, node, variants, now, holder) {
    const body = h("div", { class: "variant" });
    const show = (variant) => fill(body, this.#variant(key, variant, holder));
    const choice = select(
      variants.map(({ name }) => [name, name]),
      {
        onchange: (event) => {
          const variant = variants.find(({ name }) => name === event.target.value);
          this.#keeper(key, holder)(variant.initial());
          show(variant);
        },
      },
    );
    const chosen = variants.find((variant) => variant.holds(now)) ?? variants[0];
    choice.value = chosen.name;
    if (chosen.inner) holder[key] = now;
    show(chosen);
    const control = field(key, choice, node.description);
    if (variants.some(({ inner, simple }) => inner || simple)) return group(key, [control, body]);
    control.append(body);
    return control;
  }

  #variant(key, { about, inner, simple, tag }, holder) {
    const hint = about ? h("p", { class: "hint" }, about) : null;
    if (simple)
      return this.#simple(key, simple, holder[key] ?? this.schema.initial(simple), holder);
    if (!inner?.properties) return hint;
    const place = tag ? holder[key][tag] : holder[key];
    return [hint, this.properties(inner, place)];
  }
}

function group(key, parts) {
  return h("fieldset", {}, h("legend", {}, key), parts);
}

/** A number without the digits that only its storage has. */
function tidy(number) {
  return number === null ? "" : String(Number(number.toPrecision(7)));
}

/** What a line of text means: lists are written as JSON. */
function read(text, types) {
  if (text === "") return types.includes("null") ? null : "";
  try {
    const value = JSON.parse(text);
    return typeof value === "object" ? value : text;
  } catch {
    return text;
  }
}
