/* The puzzle of the page, what is chosen in it, and all that was before.
 *
 * Invariant: a puzzle is a value. It is never changed, only followed by another one (`commit`), so
 * undo is a list of values and a reload loses nothing. The board of each of them is known.
 *
 * A puzzle is a `satdoku-puzzle` (docs/PUZZLE_JSON.md) with its digits as one text. The digits that
 * somebody tries while solving are `entries`; they are no part of the puzzle but are undone with it.
 *
 * Cells are chosen in the grids. With a `plane`, the name of a layer, they stand for those of that
 * layer: `meant` says which.
 *
 * Events: "puzzle" (detail: {label, before}) after each change; "selection" after the choice of
 * cells or the cursor changed; "plane" after another layer was chosen.
 */

import { boardKey, emptied, Layout } from "./grid.js";

const KEPT = "satdoku"; // in the session storage of the tab
const KEPT_PLANE = "satdoku-plane";
const MOST = 300; // steps that can be undone
const FORMAT = { format: "satdoku-puzzle", version: 1 };
const FIRST = { ...FORMAT, puzzle: ".".repeat(81), boxes: "3x3" };

/** An empty puzzle on the board of another one, without rules and clues. */
export function emptyPuzzle({ puzzle, version, boxes }, board) {
  return board.withRules({ ...FORMAT, version, puzzle: emptied(puzzle), boxes }, []);
}

/** The store with the puzzle that the tab has kept, or an empty one. `describe` asks the server for
 * the board of a puzzle. */
export async function openStore(describe) {
  const store = new Store(describe);
  await store.open();
  return store;
}

export class Store extends EventTarget {
  #past = []; // [state, label of the step from it]
  #future = [];
  #state = { puzzle: FIRST, entries: [] };
  #boards = new Map(); // by `boardKey`
  #describe;
  #plane = sessionStorage.getItem(KEPT_PLANE) ?? "";

  constructor(describe) {
    super();
    this.#describe = describe;
  }

  /** Loads what the tab has kept. */
  async open() {
    const first = this.#state;
    this.#load();
    await this.#learn(this.#state.puzzle).catch(() => {
      this.#state = first;
      return this.#learn(first.puzzle);
    });
    try {
      for (const [{ puzzle }] of [...this.#past, ...this.#future]) await this.#learn(puzzle);
    } catch {
      [this.#past, this.#future] = [[], []];
    }
    this.#save();
    this.cursor = this.#middle;
    this.selection = new Set([this.cursor]); // in the order in which cells were chosen
  }

  get puzzle() {
    return this.#state.puzzle;
  }

  /** The board of the puzzle. */
  get board() {
    return this.#boards.get(boardKey(this.puzzle));
  }

  /** The layer whose cells are chosen; undefined for those of the grids. */
  get layer() {
    return this.board.planes.find(({ name }) => name === this.#plane);
  }

  /** Chooses a layer by its name, empty for the grids. */
  setPlane(name) {
    this.#plane = name;
    sessionStorage.setItem(KEPT_PLANE, name);
    this.dispatchEvent(new CustomEvent("plane"));
  }

  /** The cells that cells of the grids stand for: themselves, or those of the chosen layer. */
  meant(cells) {
    const first = this.layer?.first ?? 0;
    return [...cells].map((cell) => cell + first);
  }

  /** The given of each cell of the grids, 0 if it is empty. */
  get digits() {
    return this.board.read(this.puzzle.puzzle);
  }

  /** What was tried in each cell, those of layers among them, 0 if nothing was. */
  get entries() {
    return this.#state.entries;
  }

  /** The pencil marks of each cell; none of a cell that may hold every digit. */
  get marks() {
    const { board } = this;
    const stated = this.puzzle.candidates;
    return board.names.map((_, cell) => {
      const numbers = stated?.[cell] ?? [];
      return numbers.length === board.most(cell) ? [] : board.digitsOf(numbers, cell);
    });
  }

  /** The puzzles before this one that an undo goes back to, the oldest first. */
  get past() {
    return this.#past.map(([{ puzzle }]) => puzzle);
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

  /** Another puzzle takes the place of this one. Nothing happens if it is the same. If the server
   * has to be asked for its board first, returns a promise, which fails if it is refused. */
  commit(puzzle, label, entries = this.entries) {
    const ready = tidy(puzzle);
    const board = this.#boards.get(boardKey(ready));
    if (!board) return this.#learn(ready).then(() => this.commit(puzzle, label, entries));
    if (!ready.candidates?.some((marks, cell) => marks.length < board.most(cell))) {
      delete ready.candidates;
    }
    const givens = board.read(ready.puzzle);
    const kept = entries.length === board.names.length ? entries : [];
    const state = { puzzle: ready, entries: kept.map((digit, cell) => (givens[cell] ? 0 : digit)) };
    if (JSON.stringify(state) === JSON.stringify(this.#state)) return undefined;
    this.#past = [...this.#past, [this.#state, label]].slice(-MOST);
    this.#future = [];
    this.#become(state, label);
    return undefined;
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

  /** Puts givens: pairs of a cell of the grids and a digit, 0 to empty it. */
  setDigits(pairs, label) {
    const digits = [...this.digits];
    for (const [cell, digit] of pairs) digits[cell] = digit;
    this.commit({ ...this.puzzle, puzzle: this.board.write(digits) }, label);
  }

  /** Puts digits that are tried in cells without a given: pairs of a cell and a digit. */
  setEntries(pairs, label) {
    const entries = this.board.names.map((_, cell) => this.entries[cell] ?? 0);
    for (const [cell, digit] of pairs) entries[cell] = digit;
    this.commit(this.puzzle, label, entries.some(Boolean) ? entries : []);
  }

  /** Sets pencil marks: pairs of a cell and the list of its digits, empty for none. */
  setMarks(pairs, label) {
    const { board, marks } = this;
    for (const [cell, digits] of pairs) marks[cell] = [...digits].sort((a, b) => a - b);
    const candidates = marks.map((digits, cell) =>
      board.numbers(digits.length ? digits : board.every(cell), cell),
    );
    this.commit({ ...this.puzzle, candidates }, label);
  }

  /** Takes away what was tried in cells, or else their marks. Returns whether there was any. */
  clearNotes(cells) {
    const { marks, digits, entries } = this;
    const tried = cells.filter((cell) => entries[cell]);
    const marked = cells.filter((cell) => marks[cell].length && !digits[cell]);
    const none = (some, value) => some.map((cell) => [cell, value]);
    if (tried.length) this.setEntries(none(tried, 0), "clear");
    else if (marked.length) this.setMarks(none(marked, []), "clear");
    return tried.length + marked.length > 0;
  }

  /** Chooses cells, in their order; the cursor is the last one unless it is given. */
  select(cells, cursor) {
    this.selection = new Set(cells);
    this.cursor = cursor ?? [...this.selection].at(-1) ?? this.cursor;
    this.dispatchEvent(new CustomEvent("selection"));
  }

  get #middle() {
    const { board } = this;
    return board.at(board.rows >> 1, board.columns >> 1) ?? 0;
  }

  async #learn(puzzle) {
    const key = boardKey(puzzle);
    if (!this.#boards.has(key)) this.#boards.set(key, new Layout(await this.#describe(puzzle)));
  }

  #become(state, label) {
    const before = this.#state;
    const { board } = this;
    this.#state = state;
    this.#save();
    if (String(this.board.places) !== String(board.places)) this.select([this.#middle]);
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

/** The same puzzle as the page writes it, without a key that says nothing. */
function tidy(puzzle) {
  const ready = { ...FORMAT, ...puzzle };
  if (ready.rules === "classic") ready.rules = "";
  if (typeof ready.clues === "string") ready.clues = ready.clues.split(";").map((c) => c.trim());
  const says = (value) => value && (!Array.isArray(value) || value.length);
  return Object.fromEntries(Object.entries(ready).filter(([, value]) => says(value)));
}
