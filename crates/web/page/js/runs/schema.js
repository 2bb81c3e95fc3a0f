// What a JSON schema says about one place of a configuration.

/** A schema whose references are looked up. */
export class Schema {
  constructor(root) {
    this.root = root;
  }

  /** The node itself, with what it refers to. */
  resolve(node) {
    if (!node.$ref) return node;
    const name = node.$ref.split("/").at(-1);
    const { $ref, ...own } = node;
    return this.resolve({ ...this.root.$defs[name], ...own });
  }

  /** The alternatives of a node, each with a name; nothing if there is only one form. */
  variants(node) {
    const choices = node.oneOf ?? node.anyOf;
    return choices ? choices.flatMap((choice) => this.#variant(this.resolve(choice))) : null;
  }

  #variant(node) {
    const about = node.description ?? null;
    if (node.type === "null") return [{ name: "none", holds: isNull, initial: () => null }];
    if (node.oneOf ?? node.anyOf) return this.variants(node);
    if (node.const !== undefined) {
      const holds = (value) => value === node.const;
      return [{ name: node.const, about, holds, initial: () => node.const }];
    }
    if (!node.properties) return [this.#simple(node, about)];
    const keys = Object.keys(node.properties);
    return [keys.length === 1 ? this.#tagged(keys[0], node, about) : this.#object(node, about)];
  }

  #simple(node, about) {
    const kind = [node.type].flat()[0];
    const name = { number: "fixed", integer: "fixed", array: "list", string: "by name" }[kind];
    const holds = { number: isNumber, integer: isNumber, array: Array.isArray, string: isText }[
      kind
    ];
    return { name, about, holds, initial: () => this.initial(node), simple: node };
  }

  #tagged(tag, node, about) {
    const inner = this.resolve(node.properties[tag]);
    const holds = (value) => isObject(value) && tag in value;
    return { name: tag, about, holds, tag, inner, initial: () => ({ [tag]: this.initial(inner) }) };
  }

  #object(node, about) {
    return {
      name: "changing",
      about,
      holds: isObject,
      inner: node,
      initial: () => this.initial(node),
    };
  }

  /** What a place holds before anybody changed it. */
  initial(node) {
    if (node.default !== undefined) return structuredClone(node.default);
    const variants = this.variants(node);
    if (variants) return variants[0].initial();
    if (!node.properties) return BEGIN[[node.type].flat()[0]] ?? null;
    const entries = Object.entries(node.properties);
    return Object.fromEntries(
      entries.map(([key, child]) => [key, this.initial(this.resolve(child))]),
    );
  }
}

const BEGIN = { number: 0, integer: 0, boolean: false, string: "", array: [] };

function isNull(value) {
  return value === null;
}

function isNumber(value) {
  return typeof value === "number";
}

function isText(value) {
  return typeof value === "string";
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
