/* Drawings of clues that the server's picture does not show yet, so that nothing flickers.
 *
 * Invariant: a drawing stays until the picture has its clue, or the puzzle has it no longer.
 */

export class Unread {
  #drawings = new Map(); // by the text of the clue

  /** `onchange()` hears that a drawing has gone. */
  constructor(store, board, onchange) {
    this.onchange = onchange;
    store.addEventListener("puzzle", () => this.#keep((text) => store.puzzle.clues?.includes(text)));
    board.addEventListener("picture", ({ detail }) => {
      const shown = new Set(detail.clues.map(({ text }) => text));
      this.#keep((text) => !shown.has(text));
    });
  }

  /** What lies on the board; see `Board.setDraft`. */
  get drawings() {
    return [...this.#drawings.values()];
  }

  /** Keeps the drawing of a clue, null if it is not drawn. */
  add(text, drawing) {
    if (drawing) this.#drawings.set(text, drawing);
  }

  #keep(isNeeded) {
    const gone = [...this.#drawings.keys()].filter((text) => !isNeeded(text));
    for (const text of gone) this.#drawings.delete(text);
    if (gone.length) this.onchange();
  }
}
