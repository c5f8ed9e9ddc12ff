/* Dark or light: as the machine says, or as the switch does.
 *
 * Invariant: the document hears "theme" whenever the colours change.
 */

const KEPT = "satdoku-theme";
const system = matchMedia("(prefers-color-scheme: dark)");

/** Whether the page is dark now. */
export function isDark() {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === "dark" : system.matches;
}

/** Makes the switch work; the choice outlives the tab. */
export function bindTheme(select) {
  const apply = () => {
    document.documentElement.dataset.theme = select.value === "auto" ? "" : select.value;
    document.dispatchEvent(new CustomEvent("theme"));
  };
  select.value = localStorage.getItem(KEPT) ?? "auto";
  select.addEventListener("change", () => {
    localStorage.setItem(KEPT, select.value);
    apply();
  });
  system.addEventListener("change", apply);
  apply();
}
