/* The clue that is being drawn: its groups of cells, by presses and drags or by chosen cells.
 *
 * Invariant: a draft is made a clue by `onready` alone, which hears when it may be complete; until
 * then it is only shown. A group holds a cell once.
 */

import { cornerAt, isLine, pairAt, shapeOf } from "./kinds.js";

export class Draft {
  groups = [];
  #isOpen = false; // more cells or groups are to come: Ctrl was held
  #isWhole = false; // the last group is a circle or a shaft alone
  #taken = ""; // the choice of cells that a group was made of, or that was there before a press

  /** `onchange()` hears each change, `onready()` that the drawing of a clue came to an end,
   * `onleft()` that another one begins though this one was not made. */
  constructor(kind, store, { onchange, onready, onleft }) {
    Object.assign(this, { kind, store, onchange, onready, onleft, shape: shapeOf(kind) });
  }

  get isLine() {
    return isLine(this.kind);
  }

  /** Whether there are as many groups and cells as the kind needs at least. */
  get isEnough() {
    const [least] = this.kind.cells;
    return (
      this.groups.length >= this.kind.groups[0] &&
      this.groups.length > 0 &&
      this.groups.every((group) => group.length >= least)
    );
  }

  /** The groups as the text of the clue has them: in order where the kind does not care, so that
   * the same clue drawn in another way has the same text. */
  get stated() {
    const { ordered } = this.kind;
    const isFree = ordered === "set" || (this.shape === "pair" && ordered === "line");
    return isFree ? this.groups.map((group) => [...group].sort((a, b) => a - b)) : this.groups;
  }

  clear() {
    this.groups = [];
    this.#isOpen = false;
    this.#taken = "";
    this.onchange();
  }

  /** Takes up groups that were drawn before. */
  restore(groups) {
    this.groups = groups;
    this.onchange();
  }

  /** What lies on the board meanwhile; see `Board.setDraft`. */
  get shown() {
    return this.groups.length ? { groups: this.groups, isLine: this.isLine } : null;
  }

  start(cell, { event, point }) {
    const adds = event.ctrlKey || event.metaKey || event.shiftKey;
    const goesOn = this.groups.length && (this.#isOpen || this.#takesMany);
    if (!goesOn && this.isEnough) this.onleft();
    this.#isOpen = adds;
    if (!adds && !goesOn) this.store.select([cell]); // keys then speak of the cell that was pressed
    this.#taken = String(this.store.meant(this.store.selection));
    const first = this.store.meant(this.#first(cell, point));
    if (!goesOn) this.groups = [first];
    else if (adds && !this.#takesMany && this.shape !== "branch" && this.shape !== "chain") {
      this.groups = [...this.groups.slice(0, -1), merged(this.groups.at(-1), first)];
    } else this.groups = [...this.groups, first];
    this.#isWhole = Boolean(goesOn) || adds;
    this.onchange();
  }

  get #takesMany() {
    return this.shape === "groups";
  }

  #first(cell, point) {
    if (this.shape === "corner") return cornerAt(point, this.store.board);
    if (this.shape === "pair") return pairAt(point, this.store.board) ?? [cell];
    return [cell];
  }

  over(seat) {
    if (this.shape === "corner") return;
    const [cell] = this.store.meant([seat]);
    const group = this.groups.at(-1);
    if (this.shape === "pair") this.#last(merged([group[0]], [cell]));
    else if (this.isBack(group, cell)) this.#last(group.slice(0, -1));
    else if (!group.includes(cell)) this.#last([...group, cell]);
  }

  /** Whether a line goes back a step. */
  isBack(group, cell) {
    return this.isLine && group.at(-2) === cell;
  }

  #last(group) {
    this.groups = [...this.groups.slice(0, -1), group];
    this.onchange();
  }

  end() {
    const [only] = this.groups;
    if (this.shape === "branch" && !this.#isWhole && this.groups.length === 1 && only.length > 1) {
      this.groups = [[only[0]], only.slice(1)];
      this.onchange();
    }
    if (this.#isOpen || this.#takesMany) this.onchange();
    else if (this.isEnough) this.onready();
    else if (this.#isPress) this.clear();
    else this.onchange();
  }

  /** Whether a cell alone was pressed, which chooses it and draws nothing. */
  get #isPress() {
    return this.groups.length === 1 && this.groups[0].length === 1;
  }

  /** The whole drawing at once. */
  finish(cells) {
    this.groups = [cells];
    this.onchange();
    this.onready();
  }

  /** Whether more groups may follow. */
  get takesMore() {
    return this.kind.groups[1] > 1;
  }

  /** Takes the chosen cells as a group, in their order. Returns whether there was one to take. */
  takeSelection() {
    const cells = this.store.meant(this.store.selection);
    if (!cells.length || this.#taken === String(cells)) return false;
    this.#taken = String(cells);
    this.groups = this.takesMore ? [...this.groups, cells] : [cells];
    this.onchange();
    return true;
  }
}

function merged(cells, more) {
  return [...new Set([...cells, ...more])];
}
