/* What clashes, as the page tells it: the set in words, what follows step by step, and the entry that
 * broke the puzzle.
 *
 * Invariant: what is said came last is in the puzzle since the latest of its changes that added any
 * of what clashes.
 */

import { button, el } from "./dom.js";

export class ClashView {
  constructor(store) {
    this.store = store;
    this.text = el("p", { class: "clash", role: "alert" });
    this.since = el("span", {});
    this.undo = button("Take it away", () => this.#takeAway());
    this.row = el("p", { class: "row" }, this.since, this.undo);
    this.path = el("ol", { class: "path" });
    this.details = el("details", { open: true }, el("summary", {}, "Why"), this.path);
    this.element = el("div", { hidden: true }, this.text, this.row, this.details);
  }

  /** Shows a clash as the server tells it, or an error alone; nothing without either. */
  show(clash, error) {
    const text = clash?.text ?? error ?? "";
    if (this.text.textContent !== text) this.text.textContent = text; // read out once
    this.element.hidden = !text;
    this.newest = clash ? newestOf(this.store, clash) : null;
    this.row.hidden = !this.newest;
    this.since.textContent = this.newest ? `No solution since you ${this.newest.did}.` : "";
    const path = clash?.path ?? [];
    this.details.hidden = path.length < 2; // one sentence says the same as the text
    this.path.replaceChildren(...path.map((sentence) => el("li", {}, sentence)));
  }

  hide() {
    this.show();
  }

  #takeAway() {
    const { newest, store } = this;
    store.commit(newest.without(store.puzzle), `take away ${newest.name}`);
  }
}

/** What a clash is between: each with its name, what a person did to enter it, whether a puzzle has
 * it, and the puzzle without it. */
function membersOf(store, { cells, stated, labels, rules }) {
  const { board, digits, puzzle } = store;
  const givens = cells.filter((cell) => digits[cell]).map((cell) => {
    const name = `${board.text(digits[cell], cell)} in ${board.name(cell)}`;
    const without = (state) => {
      const fewer = [...board.read(state.puzzle)];
      fewer[cell] = 0;
      return { ...state, puzzle: board.write(fewer) };
    };
    return { name, did: `put ${name}`, isIn: (state) => board.read(state.puzzle)[cell] === digits[cell], without };
  });
  const clues = stated.map((text, place) => ({
    name: labels[place],
    did: `drew ${labels[place]}`,
    isIn: ({ clues: all = [] }) => all.includes(text),
    without: (state) => ({ ...state, clues: state.clues.filter((each) => each !== text) }),
  }));
  const named = ({ rules: text = "" }) => text.split(",").map((each) => each.trim());
  const ruled = rules.filter((rule) => named(puzzle).includes(rule)).map((rule) => ({
    name: `the rule ${rule}`,
    did: `chose the rule ${rule}`,
    isIn: (state) => named(state).includes(rule),
    without: (state) => ({ ...state, rules: named(state).filter((each) => each !== rule).join(",") }),
  }));
  return [...givens, ...clues, ...ruled];
}

/** The member of a clash that came last; null if more than one did at once, as with a file. */
function newestOf(store, clash) {
  const members = membersOf(store, clash);
  const { board, puzzle } = store;
  const shape = (state) => `${board.read(state.puzzle).length} ${state.boxes}`;
  for (const state of store.past.reverse()) {
    if (shape(state) !== shape(puzzle)) return null; // what was on another board is not comparable
    const added = members.filter((member) => !member.isIn(state));
    if (added.length) return added.length === 1 ? added[0] : null;
  }
  return null;
}
