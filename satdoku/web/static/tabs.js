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
  const last = tabs.length - 1;
  const next = {
    ArrowLeft: (here) => (here || tabs.length) - 1,
    ArrowRight: (here) => (here === last ? 0 : here + 1),
    Home: () => 0,
    End: () => last,
  };
  list.addEventListener("keydown", (event) => {
    if (!(event.key in next)) return;
    const tab = tabs[next[event.key](tabs.indexOf(event.target))];
    show(tab);
    tab.focus();
    event.preventDefault();
  });
  for (const tab of tabs) tab.addEventListener("click", () => show(tab));
  show(tabs[Number(sessionStorage.getItem(name))] ?? tabs[0]);
}

function panelOf(tab) {
  return document.getElementById(tab.getAttribute("aria-controls"));
}
