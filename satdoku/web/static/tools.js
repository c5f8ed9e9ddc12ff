/* What has the board: a tool that draws, or nothing, so that pressing chooses cells.
 *
 * Invariant: one tool at a time; the one before hears `release()` first. A tool may have
 * `key(event)`, which returns whether it has used a key on the board.
 */

export class Tools {
  current = null;
  #board;

  constructor(board) {
    this.#board = board;
  }

  /** Gives the board to a tool, with what hears its gestures; null gives it back. */
  take(tool, gestures = tool) {
    const before = this.current;
    this.current = tool;
    if (before && before !== tool) before.release();
    this.#board.gestures.take(tool && gestures);
  }
}
