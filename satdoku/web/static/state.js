/* The puzzle of the page, what is chosen in it, and all that was before.
 *
 * Invariant: a puzzle is a value. It is never changed, only followed by another one (`commit`), so
 * undo is a list of values and a reload loses nothing.
 *
 * A puzzle is a `satdoku-puzzle` (docs/PUZZLE_JSON.md) with its digits as one text. The digits that
 * somebody tries while solving are `entries`; they are no part of the puzzle but are undone with it.
 *
 * Events: "puzzle" (detail: {label, before}) after each change; "selection" after the choice of
 * cells or the cursor changed.
 */

import { boardOf, digitsOf, fullMarks, textOf } from "./grid.js";

const KEPT = "satdoku"; // in the session storage of the tab
const MOST = 300; // steps that can be undone
const FORMAT = { format: "satdoku-puzzle", version: 1 };

/** An empty puzzle: `boxes` as "3x3", or "" for a board without boxes. */
export function emptyPuzzle(size = 9, boxes = "3x3") {
  const board = boxes ? { boxes } : { rules: "latin" };
  return { ...FORMAT, puzzle: ".".repeat(size * size), ...board };
}

export class Store extends EventTarget {
  #past = []; // [state, label of the step from it]
  #future = [];
  #state = { puzzle: emptyPuzzle(), entries: [] };

  constructor() {
    super();
    this.#load();
    this.#save();
    this.cursor = this.#middle;
    this.selection = new Set([this.cursor]); // in the order in which cells were chosen
  }

  get puzzle() {
    return this.#state.puzzle;
  }

  /** How many digits there are; rows, columns and digits are as many. */
  get size() {
    return this.board.size;
  }

  /** {size, boxes, regions, regionMap}: `regions` is the box or region of each cell, or null. */
  get board() {
    return boardOf(this.puzzle);
  }

  /** The given of each cell, 0 if it is empty. */
  get digits() {
    return digitsOf(this.puzzle.puzzle);
  }

  /** What was tried in each cell, 0 if nothing was. */
  get entries() {
    return this.#state.entries;
  }

  /** The pencil marks of each cell; none of a cell that may hold every digit. */
  get marks() {
    const { size } = this;
    const stated = this.puzzle.candidates;
    return this.digits.map((_, cell) => {
      const digits = stated?.[cell] ?? [];
      return digits.length === size ? [] : digits;
    });
  }

  get canUndo() {
    return this.#past.length > 0;
  }

  get canRedo() {
    return this.#future.length > 0;
  }

  /** What an undo takes back, a redo does again, in words; empty if there is nothing. */
  get undoLabel() {
    return this.#past.at(-1)?.[1] ?? "";
  }

  get redoLabel() {
    return this.#future.at(-1)?.[1] ?? "";
  }

  /** Another puzzle takes the place of this one. Nothing happens if it is the same. */
  commit(puzzle, label, entries = this.entries) {
    const ready = tidy(puzzle);
    const kept = entries.length === ready.puzzle.length ? entries : [];
    const state = {
      puzzle: ready,
      entries: kept.map((digit, i) => (isGiven(ready, i) ? 0 : digit)),
    };
    if (JSON.stringify(state) === JSON.stringify(this.#state)) return;
    this.#past = [...this.#past, [this.#state, label]].slice(-MOST);
    this.#future = [];
    this.#become(state, label);
  }

  undo() {
    const step = this.#past.pop();
    if (!step) return;
    this.#future.push([this.#state, step[1]]);
    this.#become(step[0], `Undone: ${step[1]}`);
  }

  redo() {
    const step = this.#future.pop();
    if (!step) return;
    this.#past.push([this.#state, step[1]]);
    this.#become(step[0], `Done again: ${step[1]}`);
  }

  /** Puts givens: pairs of a cell and a digit, 0 to empty it. */
  setDigits(pairs, label) {
    const digits = [...this.digits];
    for (const [cell, digit] of pairs) digits[cell] = digit;
    this.commit({ ...this.puzzle, puzzle: textOf(digits) }, label);
  }

  /** Puts digits that are tried in cells without a given: pairs of a cell and a digit. */
  setEntries(pairs, label) {
    const entries = this.digits.map((_, cell) => this.entries[cell] ?? 0);
    for (const [cell, digit] of pairs) entries[cell] = digit;
    this.commit(this.puzzle, label, entries.some(Boolean) ? entries : []);
  }

  /** Sets pencil marks: pairs of a cell and the list of its digits, empty for none. */
  setMarks(pairs, label) {
    const { size } = this;
    const candidates = this.marks.map((digits) => (digits.length ? digits : fullMarks(size)));
    for (const [cell, digits] of pairs) {
      candidates[cell] = digits.length ? [...digits].sort((a, b) => a - b) : fullMarks(size);
    }
    this.commit({ ...this.puzzle, candidates }, label);
  }

  /** Empties cells: of what was tried, or else of their marks, or else of their givens. */
  clearCells(cells) {
    const some = (has) => [...cells].filter(has);
    const { marks, digits, entries } = this;
    const tried = some((cell) => entries[cell]);
    const marked = some((cell) => marks[cell].length && !digits[cell]);
    if (tried.length)
      this.setEntries(
        tried.map((cell) => [cell, 0]),
        "clear",
      );
    else if (marked.length)
      this.setMarks(
        marked.map((cell) => [cell, []]),
        "clear",
      );
    else
      this.setDigits(
        [...cells].map((cell) => [cell, 0]),
        "clear",
      );
  }

  /** Chooses cells, in their order; the cursor is the last one unless it is given. */
  select(cells, cursor) {
    this.selection = new Set(cells);
    this.cursor = cursor ?? [...this.selection].at(-1) ?? this.cursor;
    this.dispatchEvent(new CustomEvent("selection"));
  }

  get #middle() {
    const { size } = this;
    return Math.floor(size / 2) * (size + 1);
  }

  #become(state, label) {
    const before = this.#state;
    this.#state = state;
    this.#save();
    if (state.puzzle.puzzle.length !== before.puzzle.puzzle.length) {
      this.select([this.#middle]);
    }
    this.dispatchEvent(new CustomEvent("puzzle", { detail: { label, before: before.puzzle } }));
  }

  #save() {
    const kept = { state: this.#state, past: this.#past, future: this.#future };
    try {
      sessionStorage.setItem(KEPT, JSON.stringify(kept));
    } catch {
      sessionStorage.setItem(KEPT, JSON.stringify({ ...kept, past: [], future: [] })); // full
    }
  }

  #load() {
    try {
      const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
      if (kept) [this.#state, this.#past, this.#future] = [kept.state, kept.past, kept.future];
    } catch {
      sessionStorage.removeItem(KEPT);
    }
  }
}

function isGiven(puzzle, cell) {
  return puzzle.puzzle[cell] !== ".";
}

/** The same puzzle as the page writes it: digits as one text, no key that says nothing. */
function tidy(puzzle) {
  const text = Array.isArray(puzzle.puzzle) ? textOf(puzzle.puzzle) : puzzle.puzzle;
  const size = Math.sqrt(text.length);
  const marks = puzzle.candidates?.some((digits) => digits.length < size)
    ? puzzle.candidates
    : null;
  const ready = { ...FORMAT, ...puzzle, puzzle: text.replaceAll("0", "."), candidates: marks };
  if (ready.rules === "classic") ready.rules = "";
  if (typeof ready.clues === "string") ready.clues = ready.clues.split(";").map((c) => c.trim());
  const says = (value) => value && (!Array.isArray(value) || value.length);
  return Object.fromEntries(Object.entries(ready).filter(([, value]) => says(value)));
}
