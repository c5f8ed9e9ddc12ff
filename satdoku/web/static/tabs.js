/* Tabs: of a row of buttons one is chosen, and the panel that it controls is shown.
 *
 * Invariant: exactly one panel of a row is shown. A panel that comes to be shown hears "shown".
 * Arrow keys go from tab to tab (ARIA Authoring Practices, tabs with automatic activation).
 */

/** Makes a row of `role=tab` buttons work; the choice outlives a reload under a name. */
export function bindTabs(list, name) {
  const tabs = [...list.querySelectorAll("[role=tab]")];
  const show = (tab) => {
    for (const other of tabs) {
      const chosen = other === tab;
      other.setAttribute("aria-selected", chosen);
      other.tabIndex = chosen ? 0 : -1;
      panelOf(other).hidden = !chosen;
    }
    sessionStorage.setItem(name, tabs.indexOf(tab));
    panelOf(tab).dispatchEvent(new CustomEvent("shown"));
  };
  const step = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
  list.addEventListener("keydown", (event) => {
    if (!(event.key in step)) return;
    const here = tabs.indexOf(event.target) + step[event.key];
    const next = tabs[Number.isFinite(here) ? (here + tabs.length) % tabs.length : here < 0 ? 0 : tabs.length - 1];
    show(next);
    next.focus();
    event.preventDefault();
  });
  for (const tab of tabs) tab.addEventListener("click", () => show(tab));
  show(tabs[Number(sessionStorage.getItem(name))] ?? tabs[0]);
}

function panelOf(tab) {
  return document.getElementById(tab.getAttribute("aria-controls"));
}
