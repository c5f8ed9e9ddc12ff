/* The puzzle that is played, and the cells that are chosen in it.
 *
 * Invariant: nothing changes a puzzle, only another one opens. For the board, the keys and the entry
 * it is what the store of `static/state.js` is, as far as they ask; no puzzle here has layers.
 *
 * Events: "puzzle" after another one was opened; "selection".
 */

import { Layout } from "../static/grid.js";

export class Store extends EventTarget {
  layer = undefined;
  puzzle = null; // its digits as a text, under `puzzle`, as the page of the server has them
  board = null;
  digits = []; // the given of each cell, 0 if it is empty
  marks = []; // of each cell the digits that the puzzle allows; none if it allows all
  selection = new Set();
  cursor = 0;

  /** Opens a puzzle as `told.py` tells it. */
  open(told) {
    this.told = told;
    this.puzzle = { puzzle: told.puzzle };
    this.board = new Layout(told.board);
    this.digits = this.board.read(told.puzzle);
    this.marks = told.marks;
    const { rows, columns } = this.board;
    const middle = this.board.at(rows >> 1, columns >> 1) ?? 0;
    [this.cursor, this.selection] = [middle, new Set([middle])];
    this.dispatchEvent(new CustomEvent("puzzle", { detail: { label: told.title, isOther: true } }));
  }

  /** Chooses cells, in their order; the cursor is the last one unless it is given. */
  select(cells, cursor) {
    const chosen = [...cells];
    this.cursor = cursor ?? chosen.at(-1) ?? this.cursor;
    this.selection = new Set(chosen);
    this.dispatchEvent(new CustomEvent("selection"));
  }

  meant(cells) {
    return [...cells];
  }

  setPlane() {}
}

/** The one mode of this page, as the board and the entry ask for it: to solve. */
export class Solving extends EventTarget {
  name = "solve";
  canSet = false;
  isSet = false;
  isSolve = true;
}
