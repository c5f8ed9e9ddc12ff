/* Digits into the chosen cells: of the puzzle in the mode Set, else of somebody who solves; of the
 * grids, or of the layer that is chosen.
 *
 * Invariant: a digit that all chosen cells have already is taken away, so each press can be undone
 * by the same press; only digits that advance stay. What is set in a layer is a clue, which the
 * server writes.
 */

import { Brush } from "./brush.js";
import { button, el } from "./dom.js";
import { COLOURS, erase, put } from "./notes.js";
import { Pad } from "./pad.js";
import { switchOf } from "./parts.js";

/** What a key puts in the mode Set, and in the others. */
const OF_PUZZLE = [
  { name: "givens", text: "Givens", key: "z", says: "digits that belong to the puzzle" },
  { name: "marks", text: "Allowed", key: "v", says: "the puzzle allows only these digits in the cell" },
];
const OF_SOLVER = [
  { name: "digits", text: "Digit", key: "z", says: "your digit of a cell" },
  { name: "corner", text: "Corner", key: "x", says: "small digits in the corners, also with Shift" },
  { name: "centre", text: "Centre", key: "c", says: "small digits in the middle, also with Ctrl" },
  { name: "colours", text: "Colour", key: "v", says: "colours of the cell, also with Shift and Ctrl" },
];
const ADVANCE = "satdoku-advance"; // in the local storage

export class Entry {
  #store;
  #board;
  #api;
  #change;
  #progress;
  #modes;
  #brush;
  #pad;
  #sorts = el("div", { class: "sorts", role: "group", "aria-label": "What a digit is" });
  #planes = el("div", { class: "row planes", role: "group", "aria-label": "Cells of", hidden: true });
  #advance;
  #chosen = { puzzle: "givens", solver: "digits" }; // the sort, by whose digits are typed
  dropClue = () => false;

  /** `page` has the store, the board, the server's questions, what changes a puzzle by them, the tools,
   * the progress and the modes. */
  constructor(element, { store, board, api, change, tools, progress, modes }) {
    const acts = { put: (digit) => this.put(digit), onchange: () => this.#dipped() };
    this.#store = store;
    this.#board = board;
    this.#api = api;
    this.#change = change;
    this.#progress = progress;
    this.#modes = modes;
    this.#brush = new Brush(store, board, tools, acts);
    this.#pad = new Pad((number) => this.#press(number), () => this.put(0));
    this.#advance = switchOf("Advance", "after a digit the cursor goes to the next cell",
      localStorage.getItem(ADVANCE) === "true", (isOn) => localStorage.setItem(ADVANCE, isOn));
    const many = board.gestures.manyButton();
    const row = el("div", { class: "row extras" }, many, this.#advance);
    element.append(this.#planes, this.#sorts, this.#pad.element, row);
    for (const name of ["puzzle", "plane"]) store.addEventListener(name, () => this.#build());
    modes.addEventListener("mode", () => this.#build());
    this.#build();
  }

  /** Whose digits are typed. */
  get #whose() {
    return this.#modes.isSet ? "puzzle" : "solver";
  }

  get #offered() {
    return this.#modes.isSet ? OF_PUZZLE : OF_SOLVER;
  }

  /** What a key puts. */
  get sort() {
    return this.#chosen[this.#whose];
  }

  setSort(name) {
    this.#chosen[this.#whose] = name;
    this.#build();
  }

  /** Takes up the sort that a key means; returns it, undefined if the key means none. */
  sortOfKey(key) {
    const sort = this.#offered.find((each) => each.key === key);
    if (sort) this.setSort(sort.name);
    return sort;
  }

  /** The sort that a digit with Shift, Ctrl or both is of. */
  heldSort({ isShift, isControl }) {
    if (!isShift && !isControl) return this.sort;
    if (this.#modes.isSet) return "marks";
    return isShift && isControl ? "colours" : isShift ? "corner" : "centre";
  }

  /** Whether digits advance the cursor now. */
  get advances() {
    const { selection } = this.#store;
    return this.#advance.firstChild.checked && this.sort === "digits" === !this.#modes.isSet
      && selection.size === 1;
  }

  /** A digit, or 0 for an empty cell, that was typed: if digits advance, the cursor goes on. */
  type(digit, sort) {
    if (!this.advances || sort !== this.sort) return this.put(digit, sort);
    const { cursor, board } = this.#store;
    const [cell] = this.#store.meant([cursor]);
    if (this.#held(cell) !== digit) this.put(digit, sort);
    this.#store.select([board.all[(cursor + 1) % board.count]]);
    return this.#board.focus();
  }

  /** Empties cells; if digits advance and the cell is empty, the one before. */
  back() {
    const { cursor, board } = this.#store;
    if (this.advances && !this.#held(this.#store.meant([cursor])[0])) {
      this.#store.select([board.all[(cursor + board.count - 1) % board.count]]);
      this.#board.focus();
      if (!this.#held(this.#store.meant([this.#store.cursor])[0])) return;
    }
    this.put(0);
  }

  /** The digit of the puzzle or of somebody who solves in a cell, 0 if there is none. */
  #held(cell) {
    const given = this.#board.given(cell);
    return this.#modes.isSet ? given : given || (this.#progress.notes.digits[cell] ?? 0);
  }

  /** Puts a digit, 0 to clear, into the chosen cells, as what `sort` says. */
  put(digit, sort = this.sort) {
    const cells = this.#store.meant(this.#store.selection);
    if (!this.#modes.isSet) this.#note(cells, digit, sort);
    else if (!digit) this.#clear(cells);
    else if (sort === "marks") this.#mark(cells, digit);
    else if (this.#store.layer) this.#set(cells, digit);
    else this.#give(cells, digit);
  }

  /** A button of the pad: the brush takes its digit up, or the chosen cells get it. */
  #press(digit) {
    if (this.#brush.digit) this.#brush.dip(digit);
    else this.type(digit, this.sort);
  }

  #dipped() {
    this.#pad.dip(this.#brush.digit);
  }

  /** Chooses the next layer, or the grids again. */
  nextPlane() {
    const names = ["", ...this.#store.board.planes.map(({ name }) => name)];
    const here = names.indexOf(this.#store.layer?.name ?? "");
    this.#store.setPlane(names[(here + 1) % names.length]);
    this.#board.announce(this.#store.layer ? `layer ${this.#store.layer.name}` : "digits");
  }

  /** Digits, notes and colours of somebody who solves. */
  #note(cells, digit, sort) {
    const { notes } = this.#progress;
    const given = (cell) => this.#board.given(cell) > 0;
    const changed = digit ? put(notes, sort, cells, digit, given) : erase(notes, sort, cells);
    const what = sort === "colours" ? `colour ${digit}` : this.#store.board.text(digit, cells[0]);
    const small = sort === "corner" || sort === "centre" ? `${sort} ` : "";
    this.#progress.change(changed, this.#label(digit ? `${small}${what}` : "clear", cells));
  }

  /** Empties cells of the puzzle: of what they allow, or else of what is given, or else of a clue. */
  #clear(cells) {
    if (this.#store.clearMarks(cells)) return;
    const isGiven = cells.some((cell) => this.#board.given(cell));
    if (!isGiven) this.dropClue(cells);
    else if (this.#store.layer) this.#set(cells, 0);
    else this.#store.setDigits(cells.map((cell) => [cell, 0]), "clear");
  }

  /** Sets a value in cells of a layer, one change after another. */
  #set(cells, digit) {
    const label = this.#label(this.#store.board.text(digit, cells[0]) || "clear", cells);
    const make = async (puzzle) => (await this.#api.call("value", { puzzle, cells, digit })).puzzle;
    const fail = (error) => this.#board.dispatchEvent(new CustomEvent("problem", { detail: error }));
    this.#change(this.#store, make, label).catch(fail);
  }

  #give(cells, digit) {
    const { digits } = this.#store;
    const wanted = cells.every((cell) => digits[cell] === digit) ? 0 : digit;
    const label = this.#label(wanted ? this.#store.board.text(digit, cells[0]) : "clear", cells);
    this.#store.setDigits(cells.map((cell) => [cell, wanted]), label);
  }

  #mark(cells, digit) {
    const { digits, marks } = this.#store;
    const free = cells.filter((cell) => !digits[cell]);
    const all = free.every((cell) => marks[cell].includes(digit));
    const pairs = free.map((cell) => [
      cell,
      all ? marks[cell].filter((other) => other !== digit) : [...new Set([...marks[cell], digit])],
    ]);
    const text = this.#store.board.text(digit, cells[0]);
    this.#store.setMarks(pairs, this.#label(`allow ${text}`, free));
  }

  #label(what, cells) {
    const { board } = this.#store;
    const where = cells.length === 1 ? board.name(cells[0]) : `${cells.length} cells`;
    return `${what} in ${where}`;
  }

  #build() {
    const { board, layer } = this.#store;
    this.#buildPlanes();
    this.#buildSorts();
    const isColour = this.sort === "colours";
    const texts = isColour ? Array.from({ length: COLOURS }, (_, i) => `${i + 1}`) : board.texts(layer);
    this.#pad.show(texts, this.sort);
    this.#dipped();
  }

  #buildSorts() {
    const had = this.#sorts.contains(document.activeElement);
    const buttons = this.#offered.map(({ name, text, key, says }) => {
      const properties = { title: `${says} (${key.toUpperCase()})`, "aria-keyshortcuts": key };
      const each = button(text, () => this.setSort(name), properties);
      each.setAttribute("aria-pressed", name === this.sort);
      return each;
    });
    this.#sorts.replaceChildren(...buttons);
    if (had) buttons.find((each) => each.getAttribute("aria-pressed") === "true").focus();
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
