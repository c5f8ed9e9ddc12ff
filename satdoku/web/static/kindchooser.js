/* The choice of a kind of clue: all of the catalogue, in groups, with a field that filters them.
 * The field finds rules and words for the board as well, which people seek in the same place.
 *
 * Invariant: the catalogue is all that is known of kinds. A value that has names of its own, such as
 * `white` or German whisper, is a kind of its own here.
 */

import { el } from "./dom.js";
import { kindsWithValues } from "./kinds.js";
import { found } from "./names.js";
import { iconOf } from "./parts.js";

export class KindChooser {
  #acts;
  #chips = new Map(); // entry of the catalogue: its chip
  #sought = new Set(); // the entries that only a search shows
  #fillers = [];
  #isFresh = false; // whether the focus has just come

  /** `acts` has `kind(kind)`, null for none, `rule(name)`, which turns a rule on or off, and
   * `board()`, which shows how the board is changed. */
  constructor(acts) {
    this.#acts = acts;
    this.search = el("input", {
      type: "search",
      placeholder: "Find a clue or a rule",
      class: "find",
    });
    this.search.setAttribute("aria-label", "Find a clue or a rule");
    this.groups = el("div", { class: "palette", role: "group", "aria-label": "Kinds of clues" });
    this.nothing = el("p", { class: "note", role: "status" });
    this.element = el("div", { class: "chooser" }, this.search, this.groups, this.nothing);
    this.search.addEventListener("input", () => this.#filter());
    this.search.addEventListener("keydown", (event) => this.#key(event));
    this.search.addEventListener("focus", () => (this.#isFresh = true));
    this.search.addEventListener("pointerup", () => this.#again());
  }

  fill(catalogue) {
    const { rules, board_words: words, fillers } = catalogue;
    this.#fillers = fillers;
    const all = kindsWithValues(catalogue);
    for (const group of new Set(all.map((kind) => kind.group))) {
      this.#add(group, all.filter((kind) => kind.group === group), (kind) => this.#take(kind));
    }
    this.#add("Rules", rules, ({ name }) => this.#acts.rule(name), "rule");
    this.#add("Board", words, () => this.#acts.board(), "board");
    for (const entry of [...rules, ...words]) this.#sought.add(entry);
    this.#filter();
  }

  #take(kind) {
    this.#acts.kind(this.#isPressed(kind) ? null : kind);
  }

  #isPressed(entry) {
    return this.#chips.get(entry).getAttribute("aria-pressed") === "true";
  }

  #add(group, entries, press, sort = "kind") {
    const row = el("div", { class: "chips" });
    for (const entry of entries) {
      const { name, title, text } = entry;
      const chip = el("button", { type: "button", class: "chip", title: `${name}: ${text}` }, iconOf(entry), title);
      chip.setAttribute("aria-pressed", "false");
      chip.dataset[sort] = name;
      chip.addEventListener("click", () => press(entry));
      this.#chips.set(entry, chip);
      row.append(chip);
    }
    this.groups.append(el("section", {}, el("h3", {}, group), row));
  }

  /** Shows which kind is taken up, null if none. */
  show(kind) {
    this.#press("kind", kind ? [kind.name] : []);
  }

  /** Shows which rules are on. */
  showRules(names) {
    this.#press("rule", names);
  }

  #press(sort, names) {
    for (const chip of this.#chips.values()) {
      if (sort in chip.dataset) {
        chip.setAttribute("aria-pressed", String(names.includes(chip.dataset[sort])));
      }
    }
  }

  focus() {
    this.search.focus();
    this.search.select();
  }

  /** The press that brings the focus chooses what was sought before, so that typing replaces it. */
  #again() {
    if (this.#isFresh) this.search.select();
    this.#isFresh = false;
  }

  /** What the field finds, the best first; rules and boards only once something is typed. */
  #found() {
    const hits = found([...this.#chips.keys()], this.search.value, this.#fillers);
    return this.search.value.trim() ? hits : hits.filter((entry) => !this.#sought.has(entry));
  }

  #filter() {
    const hits = this.#found(), shown = new Set(hits);
    const query = this.search.value.trim();
    for (const [entry, chip] of this.#chips) {
      chip.hidden = !shown.has(entry);
      chip.classList.toggle("best", Boolean(query) && entry === hits[0]);
    }
    for (const section of this.groups.children) {
      section.hidden = !section.querySelector(".chip:not([hidden])");
    }
    this.nothing.textContent = shown.size || !query ? "" : `No clue and no rule is called “${query}”.`;
  }

  /** Enter presses the best that is found, and what is typed next takes the place of the search;
   * what nothing is called puts the kind in hand away, so that nobody draws with another one than
   * they mean. */
  #key(event) {
    if (event.key === "Escape") this.#acts.kind(null);
    if (event.key !== "Enter") return;
    event.preventDefault();
    const [best] = this.#found();
    if (!best) this.#acts.kind(null);
    else if ("kind" in this.#chips.get(best).dataset) this.#takeUp(best);
    else {
      this.#chips.get(best).click();
      this.search.select();
    }
  }

  /** Also a kind that is in hand already; all kinds are seen again. */
  #takeUp(kind) {
    this.search.value = "";
    this.#filter();
    this.#acts.kind(kind);
    this.#chips.get(kind).scrollIntoView({ block: "nearest" });
  }
}
