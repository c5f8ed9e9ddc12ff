/* Steps that can be undone and done again: of the puzzle, or of what somebody who solves has entered.
 *
 * Invariant: a step holds a whole state and never changes it; an undone step can be done again until
 * another one is added.
 */

export class History {
  past = []; // [state, label of the step from it, what else is told of it], the last one at the end
  future = [];
  #most;
  #now;
  #become;

  /** Keeps at most `most` steps. `now()` is the present state; `become(state, label, told)` makes
   * another one the present. */
  constructor(most, now, become) {
    this.#most = most;
    this.#now = now;
    this.#become = become;
  }

  /** A step goes from a state to the next one. */
  add(state, label, told) {
    this.past = [...this.past, [state, label, told]].slice(-this.#most);
    this.future = [];
  }

  clear() {
    [this.past, this.future] = [[], []];
  }

  get canUndo() {
    return this.past.length > 0;
  }

  get canRedo() {
    return this.future.length > 0;
  }

  /** What an undo takes back, a redo does again, in words; empty if there is nothing. */
  get undoLabel() {
    return this.past.at(-1)?.[1] ?? "";
  }

  get redoLabel() {
    return this.future.at(-1)?.[1] ?? "";
  }

  undo() {
    this.#step(this.past, this.future, "Undone");
  }

  redo() {
    this.#step(this.future, this.past, "Done again");
  }

  #step(from, to, said) {
    const step = from.pop();
    if (!step) return;
    const [state, label, told] = step;
    to.push([this.#now(), label, told]);
    this.#become(state, `${said}: ${label}`, told);
  }
}

/** Buttons that undo and redo; `of()` is the history that they and the keys speak of. Returns
 * {undo, redo, show}; `show()` tells on the buttons what is next. */
export function bindHistory(undo, redo, of) {
  const bound = {
    undo: () => of().undo(),
    redo: () => of().redo(),
    show() {
      undo.disabled = !of().canUndo;
      redo.disabled = !of().canRedo;
      undo.title = of().undoLabel;
      redo.title = of().redoLabel;
    },
  };
  undo.addEventListener("click", bound.undo);
  redo.addEventListener("click", bound.redo);
  bound.show();
  return bound;
}
