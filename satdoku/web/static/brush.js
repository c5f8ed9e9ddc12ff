/* A brush: strokes over cells put a digit there, or take it away where all of them have it.
 *
 * Invariant: a stroke is one change, made when it is over.
 */

import { button } from "./dom.js";

export class Brush {
  digit = 0; // 0 while the brush is not in use
  #cells = [];

  /** `put(digit)` puts a digit into the chosen cells; `onchange()` hears of another digit. */
  constructor(store, board, tools, { put, onchange }) {
    Object.assign(this, { store, board, tools, put, onchange });
    const title = "strokes over cells put a value there; the value is the one that you press last";
    this.button = button("Paint", () => this.#toggle(), { class: "chip", title });
    this.button.setAttribute("aria-pressed", false);
  }

  #toggle() {
    const digit = this.digit ? 0 : this.store.board.texts(this.store.layer).length;
    this.tools.take(digit ? this : null);
    this.dip(digit);
  }

  /** Paints with another digit from now on. */
  dip(digit) {
    this.digit = digit;
    this.button.setAttribute("aria-pressed", digit > 0);
    this.onchange();
  }

  /** The board is given to another tool, or to none. */
  release() {
    this.board.setDraft(null);
    this.dip(0);
  }

  start(cell) {
    this.#cells = [];
    this.over(cell);
  }

  over(cell) {
    if (!this.#cells.includes(cell)) this.#cells.push(cell);
    this.board.setDraft({ groups: [this.#cells] });
  }

  end() {
    this.board.setDraft(null);
    this.store.select(this.#cells);
    this.put(this.digit);
  }

  /** Puts the brush away. */
  leave() {
    this.tools.take(null);
  }

  /** Esc puts the brush away; other keys do as ever. */
  key({ key }) {
    if (key !== "Escape") return false;
    this.leave();
    return true;
  }
}
