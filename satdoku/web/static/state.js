/* The puzzle of the page, what is chosen in it, and all that was before.
 *
 * Invariant: a puzzle is a value. It is never changed, only followed by another one (`commit`), so
 * undo is a list of values and a reload loses nothing. The board of each of them is known.
 *
 * A puzzle is a `satdoku-puzzle` (docs/PUZZLE_JSON.md) with its digits as one text. What somebody
 * puts on the board while solving is no part of it: see progress.js.
 *
 * Cells are chosen in the grids. With a `plane`, the name of a layer, they stand for those of that
 * layer: `meant` says which.
 *
 * Events: "puzzle" (detail: {label, before, isOther}) after each change, `isOther` if it is another
 * puzzle than before and not a change of it; "selection" after the choice of cells or the cursor
 * changed; "plane" after another layer was chosen; "refused" (detail: {text, error}) after a clue was
 * withdrawn.
 */

import { boardKey, emptied, Layout } from "./grid.js";
import { History } from "./history.js";

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
  /** Each step tells whether it leads to another puzzle. */
  history = new History(MOST, () => this.#puzzle, (...step) => this.#become(...step));
  #puzzle = FIRST;
  #boards = new Map(); // by `boardKey`
  #describe;
  #plane = sessionStorage.getItem(KEPT_PLANE) ?? "";

  constructor(describe) {
    super();
    this.#describe = describe;
  }

  /** Loads what the tab has kept. */
  async open() {
    this.#load();
    await this.learn(this.#puzzle).catch(() => {
      this.#puzzle = FIRST;
      return this.learn(FIRST);
    });
    try {
      for (const [puzzle] of [...this.history.past, ...this.history.future]) await this.learn(puzzle);
    } catch {
      this.history.clear();
    }
    this.#save();
    this.cursor = this.#middle;
    this.selection = new Set([this.cursor]); // in the order in which cells were chosen
  }

  get puzzle() {
    return this.#puzzle;
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

  /** The digits that the puzzle allows in each cell; none of a cell that may hold every digit. */
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
    return this.history.past.map(([puzzle]) => puzzle);
  }

  /** Another puzzle takes the place of this one: a change of it, unless `isOther`. Nothing happens
   * if it is the same. If the server has to be asked for its board first, returns a promise, which
   * fails if it is refused. */
  commit(puzzle, label, isOther = false) {
    const ready = tidy(puzzle);
    const board = this.#boards.get(boardKey(ready));
    if (!board) return this.learn(ready).then(() => this.commit(puzzle, label, isOther));
    if (!ready.candidates?.some((marks, cell) => marks.length < board.most(cell))) {
      delete ready.candidates;
    }
    if (JSON.stringify(ready) === JSON.stringify(this.#puzzle)) return undefined;
    this.history.add(this.#puzzle, label, isOther);
    this.#become(ready, label, isOther);
    return undefined;
  }

  /** Takes a clue that cannot be read out of the puzzle and its history, as if the step that added
   * it had never been; clues that it had replaced come back. `key` is that of the board. */
  withdraw(text, key) {
    const { history } = this;
    const all = [...history.past.map(([each]) => each), this.#puzzle];
    const has = (each) => boardKey(each) === key && Boolean(each.clues?.includes(text));
    const first = all.findIndex(has);
    const before = all[first - 1]?.clues ?? [];
    const replaced = before.filter((each) => !all[first].clues.includes(each));
    const mend = (each) =>
      has(each) ? tidy({ ...each, clues: each.clues.flatMap((c) => (c === text ? replaced : [c])) }) : each;
    const puzzle = mend(this.#puzzle);
    history.past = mended(history.past, mend, puzzle);
    history.future = mended(history.future, mend, puzzle);
    this.#become(puzzle, `no ${text}`, false);
  }

  /** Puts givens: pairs of a cell of the grids and a digit, 0 to empty it. */
  setDigits(pairs, label) {
    const digits = [...this.digits];
    for (const [cell, digit] of pairs) digits[cell] = digit;
    this.commit({ ...this.puzzle, puzzle: this.board.write(digits) }, label);
  }

  /** Sets what the puzzle allows: pairs of a cell and the list of its digits, empty for all. */
  setMarks(pairs, label) {
    const { board, marks } = this;
    for (const [cell, digits] of pairs) marks[cell] = [...digits].sort((a, b) => a - b);
    const candidates = marks.map((digits, cell) =>
      board.numbers(digits.length ? digits : board.every(cell), cell),
    );
    this.commit({ ...this.puzzle, candidates }, label);
  }

  /** Lets cells hold all digits again. Returns whether any of them could not. */
  clearMarks(cells) {
    const { marks, digits } = this;
    const marked = cells.filter((cell) => marks[cell].length && !digits[cell]);
    if (marked.length) this.setMarks(marked.map((cell) => [cell, []]), "clear");
    return marked.length > 0;
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

  /** Makes sure that the board of a puzzle is known. Throws `ApiError` if the server refuses it. */
  async learn(puzzle) {
    const ready = tidy(puzzle);
    const key = boardKey(ready);
    if (!this.#boards.has(key)) this.#boards.set(key, new Layout(await this.#describe(ready)));
  }

  #become(puzzle, label, isOther) {
    const before = this.#puzzle;
    const { board } = this;
    this.#puzzle = puzzle;
    this.#save();
    if (String(this.board.places) !== String(board.places)) this.select([this.#middle]);
    this.dispatchEvent(new CustomEvent("puzzle", { detail: { label, before, isOther } }));
  }

  #save() {
    const kept = { puzzle: this.#puzzle, past: this.history.past, future: this.history.future };
    try {
      sessionStorage.setItem(KEPT, JSON.stringify(kept));
    } catch {
      sessionStorage.setItem(KEPT, JSON.stringify({ ...kept, past: [], future: [] })); // full
    }
  }

  #load() {
    try {
      const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
      if (!kept?.puzzle) return;
      this.#puzzle = kept.puzzle;
      Object.assign(this.history, { past: kept.past, future: kept.future });
    } catch {
      sessionStorage.removeItem(KEPT);
    }
  }
}

/** Steps from or to puzzles, the nearest to `puzzle` at the end, with all puzzles mended; those that
 * change nothing any more are left out. */
function mended(steps, mend, puzzle) {
  let near = JSON.stringify(puzzle);
  const kept = [];
  for (const [each, ...told] of steps.toReversed()) {
    const made = mend(each);
    const text = JSON.stringify(made);
    if (text !== near) kept.unshift([made, ...told]);
    near = text;
  }
  return kept;
}

/** The same puzzle as the page writes it, without a key that says nothing. */
function tidy(puzzle) {
  const ready = { ...FORMAT, ...puzzle };
  if (ready.rules === "classic") ready.rules = "";
  if (typeof ready.clues === "string") ready.clues = ready.clues.split(";").map((c) => c.trim());
  const says = (value) => value && (!Array.isArray(value) || value.length);
  return Object.fromEntries(Object.entries(ready).filter(([, value]) => says(value)));
}
