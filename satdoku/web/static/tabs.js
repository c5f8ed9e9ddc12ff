/* Tabs: of each row of buttons one is chosen, and the panel that it controls is shown. Where there
 * is no room for a panel of each row, one panel alone is shown; on a telephone as a drawer in the
 * place of the digits, with a button that brings those back.
 *
 * Invariant: no row has two panels that are shown; in a narrow window all rows have one together,
 * on a telephone at most. Arrow keys go from tab to tab (ARIA Authoring Practices, tabs with automatic
 * activation).
 */

const ONE_PANEL = matchMedia("(max-width: 73.99rem), (max-height: 31rem)"); // as layout.css has it
const TELEPHONE = matchMedia("(max-width: 51.99rem), (max-height: 31rem)");

/** Makes rows of `role=tab` buttons work; the choices outlive a reload. `digits` is the button that
 * closes the drawer. Returns what can `close()` it. */
export function bindTabs(lists, digits) {
  const rows = [...lists].map((list) => new Row(list));
  let open = rows[Number(sessionStorage.getItem("satdoku-open") ?? NaN)] ?? null;

  const show = () => {
    const one = TELEPHONE.matches ? open : (open ?? rows[0]);
    for (const row of rows) row.show(ONE_PANEL.matches ? one === row : true);
    document.body.toggleAttribute("data-drawer", TELEPHONE.matches && open !== null);
    digits.setAttribute("aria-pressed", open === null);
    sessionStorage.setItem("satdoku-open", rows.indexOf(open));
  };
  const take = (row) => {
    open = row;
    show();
  };
  for (const row of rows) row.bind(() => take(row));
  digits.addEventListener("click", () => take(null));
  for (const query of [ONE_PANEL, TELEPHONE]) query.addEventListener("change", show);
  show();
  return { close: () => take(null) };
}

class Row {
  #name;
  #tabs;
  #chosen;

  constructor(list) {
    this.#name = `satdoku-${list.getAttribute("aria-label")}`;
    this.#tabs = [...list.querySelectorAll("[role=tab]")];
    this.#chosen = this.#tabs.find(({ textContent }) => textContent === sessionStorage.getItem(this.#name));
    list.addEventListener("keydown", (event) => this.#walk(event));
  }

  /** Listens; `take()` hears that one of the tabs is chosen. */
  bind(take) {
    for (const tab of this.#tabs) {
      tab.addEventListener("click", () => {
        this.#chosen = tab;
        sessionStorage.setItem(this.#name, tab.textContent);
        take();
      });
    }
  }

  /** Shows the panel of the chosen tab, or none of the row. */
  show(isOpen) {
    const offered = this.#tabs.filter((tab) => TELEPHONE.matches || !("narrow" in tab.dataset));
    const chosen = offered.includes(this.#chosen) ? this.#chosen : offered[0];
    for (const tab of this.#tabs) {
      tab.setAttribute("aria-selected", isOpen && tab === chosen);
      tab.tabIndex = tab === chosen ? 0 : -1;
      panelOf(tab).hidden = !isOpen || tab !== chosen;
    }
  }

  #walk(event) {
    const tabs = this.#tabs.filter((tab) => tab.checkVisibility());
    const last = tabs.length - 1;
    const here = tabs.indexOf(event.target);
    const next = {
      ArrowLeft: here > 0 ? here - 1 : last,
      ArrowRight: here < last ? here + 1 : 0,
      Home: 0,
      End: last,
    };
    if (!(event.key in next)) return;
    const tab = tabs[next[event.key]];
    tab.click();
    tab.focus();
    event.preventDefault();
  }
}

function panelOf(tab) {
  return document.getElementById(tab.getAttribute("aria-controls"));
}
