/* Digits into the chosen cells: as givens, as tries of somebody who solves, or as pencil marks.
 *
 * Invariant: a digit that all chosen cells have already is taken away, so each press can be undone
 * by the same press.
 */

import { button, el } from "./dom.js";
import { cellName, digitText, fullMarks } from "./grid.js";

export const MODES = [
  { name: "givens", text: "Givens", key: "z", says: "digits that belong to the puzzle" },
  { name: "tries", text: "Solve", key: "x", says: "digits that you try; not part of the puzzle" },
  { name: "marks", text: "Marks", key: "v", says: "pencil marks: the cell holds one of these" },
];

export class Entry {
  #store;
  #buttons;
  #pad;
  mode = "givens";

  constructor(element, store) {
    this.#store = store;
    this.#buttons = MODES.map((mode) => this.#modeButton(mode));
    this.#pad = el("div", { class: "pad", role: "group", "aria-label": "Digits" });
    const modes = el("div", { class: "modes", role: "group", "aria-label": "What a digit is" });
    modes.append(...this.#buttons);
    element.append(modes, this.#pad);
    store.addEventListener("puzzle", () => this.#build());
    this.#build();
    this.setMode(sessionStorage.getItem("satdoku-mode") ?? "givens");
  }

  setMode(name) {
    this.mode = MODES.some((mode) => mode.name === name) ? name : "givens";
    sessionStorage.setItem("satdoku-mode", this.mode);
    for (const [i, mode] of MODES.entries()) {
      this.#buttons[i].setAttribute("aria-pressed", mode.name === this.mode);
    }
    this.#pad.dataset.mode = this.mode;
  }

  /** Puts a digit, 0 to clear, into the chosen cells; as the mode says unless one is given. */
  put(digit, mode = this.mode) {
    const cells = [...this.#store.selection];
    if (!digit) this.#store.clearCells(cells);
    else if (mode === "marks") this.#mark(cells, digit);
    else this.#place(cells, digit, mode);
  }

  #place(cells, digit, mode) {
    const { digits, entries } = this.#store;
    const free = mode === "givens" ? cells : cells.filter((cell) => !digits[cell]);
    const had = mode === "givens" ? digits : entries;
    const wanted = free.every((cell) => had[cell] === digit) ? 0 : digit;
    const pairs = free.map((cell) => [cell, wanted]);
    const label = this.#label(wanted ? digitText(digit) : "clear", free);
    if (mode === "givens") this.#store.setDigits(pairs, label);
    else this.#store.setEntries(pairs, label);
  }

  #mark(cells, digit) {
    const { digits, entries, marks } = this.#store;
    const free = cells.filter((cell) => !digits[cell] && !entries[cell]);
    const all = free.every((cell) => marks[cell].includes(digit));
    const pairs = free.map((cell) => [
      cell,
      all ? marks[cell].filter((other) => other !== digit) : [...new Set([...marks[cell], digit])],
    ]);
    this.#store.setMarks(pairs, this.#label(`mark ${digitText(digit)}`, free));
  }

  #label(what, cells) {
    const { size } = this.#store;
    const where = cells.length === 1 ? cellName(cells[0], size) : `${cells.length} cells`;
    return `${what} in ${where}`;
  }

  #modeButton({ name, text, key, says }) {
    const properties = { class: "button", title: `${says} (${key.toUpperCase()})` };
    return button(text, () => this.setMode(name), { ...properties, "aria-keyshortcuts": key });
  }

  #build() {
    const { size } = this.#store;
    if (this.#pad.children.length === size + 1) return;
    const digits = fullMarks(size).map((digit) =>
      button(digitText(digit), () => this.put(digit), { class: "button digit-button" }),
    );
    const clear = button("⌫", () => this.put(0), { class: "button digit-button" });
    clear.setAttribute("aria-label", "Clear");
    this.#pad.replaceChildren(...digits, clear);
    const count = size + 1;
    this.#pad.style.setProperty("--wide", count <= 10 ? count : Math.ceil(count / 2));
    this.#pad.style.setProperty("--narrow", Math.ceil(count / (count <= 10 ? 2 : 3)));
  }
}
