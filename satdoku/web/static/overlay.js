/* What lies over the board: highlights, small digits, an answer. Several panels want to.
 *
 * Invariant: the source that asked last is shown whole; when it lets go, the one before is again.
 */

const NOTHING = { highlights: null, candidates: null, counts: null, answer: null };

export class Overlay {
  #board;
  #sources = new Map(); // by name, the last shown at the end
  #silent = new Set();

  constructor(board) {
    this.#board = board;
  }

  /** Shows {highlights, candidates, counts, answer} of a source on top of all others. */
  show(source, what) {
    this.#sources.delete(source);
    this.#sources.set(source, { ...NOTHING, ...what });
    this.#draw();
  }

  /** Changes what a source shows and leaves it where it is among the others. */
  update(source, what) {
    if (this.#sources.has(source)) this.#sources.set(source, { ...NOTHING, ...what });
    else this.#sources = new Map([[source, { ...NOTHING, ...what }], ...this.#sources]);
    this.#draw();
  }

  /** Takes away what a source shows. */
  hide(source) {
    if (this.#sources.delete(source)) this.#draw();
  }

  /** Whether nothing of a source is seen, whatever it shows. */
  silence(source, isSilent) {
    if (isSilent) this.#silent.add(source);
    else this.#silent.delete(source);
    this.#draw();
  }

  #draw() {
    const seen = [...this.#sources.keys()].filter((source) => !this.#silent.has(source));
    this.#board.setOverlay(this.#sources.get(seen.at(-1)) ?? NOTHING);
  }
}

const overlays = new WeakMap();

/** The one overlay of a board. */
export function overlayOf(board) {
  if (!overlays.has(board)) overlays.set(board, new Overlay(board));
  return overlays.get(board);
}
