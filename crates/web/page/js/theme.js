// Light, dark, or as the machine is set.

const KEY = "ludens-theme";
const ORDER = ["auto", "light", "dark"];
const NAMES = { auto: "Theme: as the system", light: "Theme: light", dark: "Theme: dark" };

/** The theme chosen before, if any. */
export function chosenTheme() {
  const stored = localStorage.getItem(KEY);
  return ORDER.includes(stored) ? stored : "auto";
}

/** Shows a theme, and remembers it. */
export function useTheme(theme) {
  localStorage.setItem(KEY, theme);
  document.documentElement.dataset.theme = theme;
  document.getElementById("theme-name").textContent = NAMES[theme];
  document.getElementById("theme-button").title = NAMES[theme];
}

/** Goes on to the next theme. */
export function nextTheme() {
  useTheme(ORDER[(ORDER.indexOf(chosenTheme()) + 1) % ORDER.length]);
  return NAMES[chosenTheme()];
}
