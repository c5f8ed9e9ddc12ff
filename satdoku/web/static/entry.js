/* Digits into the chosen cells: as givens, as tries of somebody who solves, or as pencil marks; of
 * the grids, or of the layer that is chosen.
 *
 * Invariant: a digit that all chosen cells have already is taken away, so each press can be undone
 * by the same press. What is set in a layer is a clue, which the server writes.
 */

import { Brush } from "./brush.js";
import { button, el } from "./dom.js";

export const MODES = [
  { name: "givens", text: "Givens", key: "z", says: "digits that belong to the puzzle" },
  { name: "tries", text: "Solve", key: "x", says: "digits that you try; not part of the puzzle" },
  { name: "marks", text: "Marks", key: "v", says: "pencil marks: the cell holds one of these" },
];

export class Entry {
  #store;
  #board;
  #api;
  #buttons;
  #pad;
  #planes = el("div", { class: "row planes", role: "group", "aria-label": "Cells of", hidden: true });
  #queue = Promise.resolve();
  #offered = ""; // the digits on the pad
  mode = "givens";

  #brush;

  constructor(element, store, board, api, tools) {
    const acts = { put: (digit) => this.put(digit), onchange: () => this.#showBrush() };
    this.#brush = new Brush(store, board, tools, acts);
    this.#store = store;
    this.#board = board;
    this.#api = api;
    this.#buttons = MODES.map((mode) => this.#modeButton(mode));
    this.#pad = el("div", { class: "pad", role: "group", "aria-label": "Digits" });
    const modes = el("div", { class: "modes", role: "group", "aria-label": "What a digit is" });
    modes.append(...this.#buttons);
    element.append(this.#planes, modes, this.#pad);
    store.addEventListener("puzzle", () => this.#build());
    store.addEventListener("plane", () => this.#build());
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
    const cells = this.#store.meant(this.#store.selection);
    if (!digit) this.#clear(cells);
    else if (mode === "marks") this.#mark(cells, digit);
    else if (mode === "givens" && this.#store.layer) this.#set(cells, digit);
    else this.#place(cells, digit, mode);
  }

  /** A button of the pad: the brush takes its digit up, or the chosen cells get it. */
  #press(digit) {
    if (this.#brush.digit) this.#brush.dip(digit);
    else this.put(digit);
  }

  #showBrush() {
    for (const [place, each] of [...this.#pad.children].entries()) {
      each.classList.toggle("dipped", place + 1 === this.#brush.digit);
    }
  }

  /** Chooses the next layer, or the grids again. */
  nextPlane() {
    const names = ["", ...this.#store.board.planes.map(({ name }) => name)];
    const here = names.indexOf(this.#store.layer?.name ?? "");
    this.#store.setPlane(names[(here + 1) % names.length]);
    this.#board.announce(this.#store.layer ? `layer ${this.#store.layer.name}` : "digits");
  }

  /** Empties cells: of what was tried, or else of their marks, or else of what is given. */
  #clear(cells) {
    if (this.#store.clearNotes(cells)) return;
    if (this.#store.layer) this.#set(cells, 0);
    else this.#store.setDigits(cells.map((cell) => [cell, 0]), "clear");
  }

  /** Sets a value in cells of a layer, one change after another. */
  #set(cells, digit) {
    const label = this.#label(this.#store.board.text(digit, cells[0]) || "clear", cells);
    const change = async () => {
      const asked = { puzzle: this.#store.puzzle, cells, digit };
      await this.#store.commit((await this.#api.call("value", asked)).puzzle, label);
    };
    this.#queue = this.#queue
      .then(change)
      .catch((error) => this.#board.dispatchEvent(new CustomEvent("problem", { detail: error })));
  }

  #place(cells, digit, mode) {
    const { digits, entries } = this.#store;
    const free = mode === "givens" ? cells : cells.filter((cell) => !digits[cell]);
    const had = mode === "givens" ? digits : entries;
    const wanted = free.every((cell) => had[cell] === digit) ? 0 : digit;
    const pairs = free.map((cell) => [cell, wanted]);
    const label = this.#label(wanted ? this.#store.board.text(digit, cells[0]) : "clear", free);
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
    const text = this.#store.board.text(digit, cells[0]);
    this.#store.setMarks(pairs, this.#label(`mark ${text}`, free));
  }

  #label(what, cells) {
    const { board } = this.#store;
    const where = cells.length === 1 ? board.name(cells[0]) : `${cells.length} cells`;
    return `${what} in ${where}`;
  }

  #modeButton({ name, text, key, says }) {
    const properties = { class: "button", title: `${says} (${key.toUpperCase()})` };
    return button(text, () => this.setMode(name), { ...properties, "aria-keyshortcuts": key });
  }

  #build() {
    const { board, layer } = this.#store;
    this.#buildPlanes();
    const texts = board.texts(layer);
    if (String(texts) === this.#offered) return;
    this.#offered = String(texts);
    const digits = texts.map((text, place) =>
      button(text, () => this.#press(place + 1), { class: "button digit-button" }),
    );
    const clear = button("⌫", () => this.put(0), { class: "button digit-button" });
    clear.setAttribute("aria-label", "Clear");
    this.#pad.replaceChildren(...digits, clear);
    const count = texts.length + 1;
    this.#showBrush();
    this.#pad.style.setProperty("--wide", count <= 10 ? count : Math.ceil(count / 2));
    this.#pad.style.setProperty("--narrow", Math.ceil(count / (count <= 10 ? 2 : 3)));
  }

  /** A button for each layer, if there are any, and one for the digits. */
  #buildPlanes() {
    const { board, layer } = this.#store;
    const had = this.#planes.contains(document.activeElement);
    const buttons = ["", ...board.planes.map(({ name }) => name)].map((name) => {
      const choose = () => this.#store.setPlane(name);
      const chip = button(name || "digits", choose, { class: "chip", title: "L: the next one" });
      chip.setAttribute("aria-pressed", name === (layer?.name ?? ""));
      return chip;
    });
    this.#planes.replaceChildren(...buttons, ...(layer ? [this.#brush.button] : []));
    if (!layer && this.#brush.digit) this.#brush.leave();
    this.#planes.hidden = buttons.length === 1;
    if (had) buttons.find((each) => each.getAttribute("aria-pressed") === "true").focus();
  }
}
