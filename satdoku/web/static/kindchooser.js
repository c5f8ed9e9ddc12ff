/* The choice of a kind of clue: all of the catalogue, in groups, with a field that filters them.
 *
 * Invariant: the catalogue is all that is known of kinds. Another name of a kind with a value, such
 * as `white`, is a kind of its own here.
 */

import { el } from "./dom.js";

export class KindChooser {
  #onchoose;
  #buttons = []; // [button, kind]

  constructor(onchoose) {
    this.#onchoose = onchoose;
    this.search = el("input", {
      type: "search",
      placeholder: "Find a kind of clue",
      class: "find",
    });
    this.search.setAttribute("aria-label", "Find a kind of clue");
    this.groups = el("div", { class: "palette", role: "group", "aria-label": "Kinds of clues" });
    this.element = el("div", { class: "chooser" }, this.search, this.groups);
    this.search.addEventListener("input", () => this.#filter());
    this.search.addEventListener("keydown", (event) => this.#key(event));
  }

  fill({ kinds, aliases }) {
    const known = new Map(kinds.map((kind) => [kind.name, { ...kind, says: kind.text }]));
    const all = [...known.values()];
    for (const [name, meaning] of Object.entries(aliases)) {
      const kind = known.get(meaning.split("=")[0]);
      const said = kind.text.replace(/\b(N|value)\b|\{value\}/, meaning.split("=")[1]);
      const alias = { ...kind, name, says: said, fixed: meaning };
      if (kind.groups[1] === 1) Object.assign(alias, { cells: [2, 2] }); // x and v are of two cells
      all.splice(all.findIndex((each) => each.name === kind.name) + 1, 0, alias);
    }
    for (const group of new Set(all.map((kind) => kind.group))) this.#add(group, all);
  }

  #add(group, all) {
    const row = el("div", { class: "chips" });
    for (const kind of all.filter((each) => each.group === group)) {
      const chip = el("button", { type: "button", class: "chip", title: kind.says }, kind.name);
      chip.setAttribute("aria-pressed", "false");
      chip.dataset.kind = kind.name;
      const press = () =>
        this.#onchoose(chip.getAttribute("aria-pressed") === "true" ? null : kind);
      chip.addEventListener("click", press);
      this.#buttons.push([chip, kind]);
      row.append(chip);
    }
    this.groups.append(el("section", {}, el("h3", {}, group), row));
  }

  /** Shows which kind is taken up, null if none. */
  show(kind) {
    for (const [chip, each] of this.#buttons) {
      chip.setAttribute("aria-pressed", each.name === kind?.name);
    }
  }

  focus() {
    this.search.focus();
    this.search.select();
  }

  #filter() {
    const words = this.search.value.toLowerCase().split(/\s+/);
    for (const [chip, kind] of this.#buttons) {
      const said = `${kind.name} ${kind.says}`.toLowerCase();
      chip.hidden = !words.every((word) => said.includes(word));
    }
    for (const section of this.groups.children) {
      section.hidden = !section.querySelector(".chip:not([hidden])");
    }
  }

  /** Enter takes the first kind that is left, one whose name begins so before others. */
  #key(event) {
    if (event.key === "Escape") this.#onchoose(null);
    if (event.key !== "Enter") return;
    const wanted = this.search.value.toLowerCase();
    const left = this.#buttons.filter(([chip]) => !chip.hidden).map(([, kind]) => kind);
    const best =
      left.find(({ name }) => name === wanted) ?? left.find(({ name }) => name.startsWith(wanted));
    const kind = best ?? left[0];
    if (kind) this.#onchoose(kind);
    event.preventDefault();
  }
}
