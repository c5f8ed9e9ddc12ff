/* Pressing and dragging on the board, with a mouse, a pen or a finger.
 *
 * Invariant: a gesture is a list of cells in the order in which the pointer met them. Without a
 * tool it chooses cells; a tool that has taken the board gets it in place of the choice.
 *
 * A tool is an object with `start(cell, {event, point})`, `over(cell)` and `end()`, each optional;
 * `point` is in cells from the upper left corner of the grid.
 */

import { place } from "./grid.js";

export class Gestures {
  #board;
  #store;
  #tool = null;
  #pointer = null;
  #last = null;
  #adding = true;

  constructor(board, store) {
    this.#board = board;
    this.#store = store;
    const { svg } = board;
    svg.addEventListener("pointerdown", (event) => this.#down(event));
    svg.addEventListener("pointermove", (event) => this.#move(event));
    for (const type of ["pointerup", "pointercancel"]) {
      svg.addEventListener(type, (event) => this.#up(event));
    }
    svg.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  /** Gives the board to a tool; null gives it back. */
  take(tool) {
    this.#tool = tool;
  }

  #down(event) {
    const { clientX, clientY } = event;
    const cell = this.#board.cellAt(clientX, clientY);
    if (cell === null || event.button > 0) return;
    event.preventDefault(); // no text is chosen, no picture dragged
    this.#pointer = event.pointerId;
    this.#last = cell;
    this.#board.svg.setPointerCapture(event.pointerId);
    const point = this.#board.pointAt(clientX, clientY);
    (this.#tool ?? this).start(cell, { event, point });
    this.#board.focus();
  }

  #move(event) {
    if (event.pointerId !== this.#pointer) return;
    const points = event.getCoalescedEvents?.() ?? [];
    for (const { clientX, clientY } of points.length ? points : [event]) {
      const cell = this.#near(clientX, clientY);
      if (cell === null || cell === this.#last) continue;
      const { size } = this.#store;
      for (const met of wayTo(cell, this.#last, size)) (this.#tool ?? this).over?.(met);
      this.#last = cell;
    }
  }

  #up(event) {
    if (event.pointerId !== this.#pointer) return;
    this.#pointer = null;
    (this.#tool ?? this).end?.(event);
  }

  /** The cell under the pointer, if it is not too near a corner: so a diagonal is easy to draw. */
  #near(clientX, clientY) {
    const [x, y] = this.#board.pointAt(clientX, clientY);
    const aside = Math.hypot((x % 1) - 0.5, (y % 1) - 0.5);
    return aside < 0.46 ? this.#board.cellAt(clientX, clientY) : null;
  }

  /** Choosing cells: a press alone begins anew, with Ctrl or Shift it adds or takes away. */
  start(cell, { event }) {
    const { selection } = this.#store;
    const keeps = event.ctrlKey || event.metaKey || event.shiftKey;
    this.#adding = !(keeps && selection.has(cell));
    const before = keeps ? [...selection] : [];
    this.#store.select(this.#adding ? [...before, cell] : before.filter((c) => c !== cell), cell);
  }

  over(cell) {
    const { selection } = this.#store;
    const rest = [...selection].filter((other) => other !== cell);
    this.#store.select(this.#adding ? [...selection, cell] : rest, cell);
  }
}

/** The cells from the last one to another: those between as well if the way is straight, because
 * a quick pointer leaves cells out. */
function wayTo(cell, last, size) {
  const [from, to] = [place(last, size), place(cell, size)];
  const [down, right] = [to[0] - from[0], to[1] - from[1]];
  const steps = Math.max(Math.abs(down), Math.abs(right));
  if (down && right && Math.abs(down) !== Math.abs(right)) return [cell];
  const step = Math.sign(down) * size + Math.sign(right);
  return Array.from({ length: steps }, (_, i) => last + step * (i + 1));
}
