/* Dark or light: as the machine says, or as the switch does.
 *
 * Invariant: the document hears "theme" whenever the colours change.
 */

const KEPT = "satdoku-theme";
const system = matchMedia("(prefers-color-scheme: dark)");

/** Whether the page is dark now. */
export const isDark = () => document.documentElement.dataset.theme === "dark";

/** Makes the switch work; the choice outlives the tab. */
export function bindTheme(select) {
  const apply = () => {
    const asSystem = system.matches ? "dark" : "light";
    document.documentElement.dataset.theme = select.value === "auto" ? asSystem : select.value;
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
