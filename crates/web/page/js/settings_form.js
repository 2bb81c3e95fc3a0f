// A form for the settings of a game or an agent.

import { check, field, h, select } from "./dom.js";

/** Controls for `settings`; tells `onchange` which values differ from the usual ones. */
export function settingsForm(settings, given, onchange) {
  const values = { ...given };
  const keep = (key, text, usual) => {
    if (text === "" || text === usual) delete values[key];
    else values[key] = text;
    onchange({ ...values });
  };
  const known = new Set(settings.map((setting) => setting.key));
  for (const key of Object.keys(values)) {
    // A value without its key belongs to the setting that may be written so.
    const keyless = settings.find((setting) => setting.keyless);
    if (key === "" && keyless) values[keyless.key] = values[""];
    if (!known.has(key)) delete values[key];
  }
  return h(
    "div",
    { class: "settings" },
    settings.map((setting) => {
      const usual = setting.default ?? "";
      const now = values[setting.key] ?? usual;
      return control(setting, now, (text) => keep(setting.key, text, usual));
    }),
  );
}

function control(setting, now, onchange) {
  const listen = {
    onchange: ({ target }) => target.reportValidity() && onchange(target.value),
  };
  if (setting.kind === "flag") {
    const onflag = (event) => onchange(String(event.target.checked));
    const box = check(setting.key, { checked: now === "true", onchange: onflag });
    return h("div", { class: "field" }, box, h("small", { class: "hint" }, setting.about));
  }
  if (setting.kind === "choice") {
    const options = setting.choices.map((choice) => [choice, choice]);
    return field(setting.key, select(options, { value: now, ...listen }), setting.about);
  }
  const numeric = setting.kind === "integer" || setting.kind === "number";
  const attributes = numeric
    ? { type: "number", min: setting.min, max: setting.max, step: step(setting) }
    : { type: "text", spellcheck: "false", autocomplete: "off" };
  const placeholder = setting.default ?? "as usual";
  const input = h("input", { ...attributes, value: now, placeholder, ...listen });
  return field(setting.key, input, setting.about);
}

function step(setting) {
  return setting.kind === "integer" ? 1 : "any";
}
