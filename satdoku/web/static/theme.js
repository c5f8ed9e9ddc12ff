/* Dark or light: as the machine says, or as the switch does. */

const KEPT = "satdoku-theme";

/** Makes the switch work; the choice outlives the tab. */
export function bindTheme(select) {
  const root = document.documentElement;
  const apply = (theme) => {
    if (theme === "auto") delete root.dataset.theme;
    else root.dataset.theme = theme;
  };
  select.value = localStorage.getItem(KEPT) ?? "auto";
  apply(select.value);
  select.addEventListener("change", () => {
    localStorage.setItem(KEPT, select.value);
    apply(select.value);
  });
}
