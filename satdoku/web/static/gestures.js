/* Pressing and dragging on the board, with a mouse, a pen or a finger.
 *
 * Invariant: a gesture is a list of places in the order in which the pointer met them. Without a
 * tool it chooses cells; a tool that has taken the board gets it in place of the choice.
 *
 * A tool is an object with `start(cell, {event, point, place})`, `over(cell, place)` and `end()`, each
 * optional; `point` is in cells from the upper left corner of the board, `place` its row and column.
 * A tool with `anywhere` hears of places without a cell, too, which is null then.
 */

import { button } from "./dom.js";

export class Gestures {
  isMany = false; // whether each press adds cells to the choice or takes them away
  #board;
  #store;
  #tool = null;
  #pointer = null;
  #last = null;
  #resting = []; // who waits until the pointer is up
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

  /** A button that lets a finger choose several cells as Ctrl does. */
  manyButton() {
    const title = "each press adds a cell to the choice or takes it away";
    const many = button("Select several", () => {
      this.isMany = !this.isMany;
      many.setAttribute("aria-pressed", this.isMany);
    }, { class: "chip", title, "aria-pressed": "false" });
    return many;
  }

  /** A promise that no pointer is down on the board. */
  rest() {
    if (this.#pointer === null) return Promise.resolve();
    return new Promise((resolve) => this.#resting.push(resolve));
  }

  /** Gives the board to a tool; null gives it back. */
  take(tool) {
    this.#tool = tool;
  }

  #down(event) {
    const { clientX, clientY } = event;
    const place = this.#board.placeAt(clientX, clientY);
    const cell = this.#heard(place);
    if (cell === undefined || event.button > 0) return;
    event.preventDefault(); // no text is chosen, no picture dragged
    this.#pointer = event.pointerId;
    this.#last = place;
    this.#board.svg.setPointerCapture(event.pointerId);
    const point = this.#board.pointAt(clientX, clientY);
    (this.#tool ?? this).start(cell, { event, point, place });
    this.#board.focus();
  }

  #move(event) {
    if (event.pointerId !== this.#pointer) return;
    const points = event.getCoalescedEvents?.() ?? [];
    for (const { clientX, clientY } of points.length ? points : [event]) {
      const place = this.#near(clientX, clientY);
      if (!place || String(place) === String(this.#last)) continue;
      for (const met of wayTo(place, this.#last)) {
        const cell = this.#heard(met);
        if (cell !== undefined) (this.#tool ?? this).over?.(cell, met);
      }
      this.#last = place;
    }
  }

  /** The cell at a place; null if there is none and somebody hears of it, else undefined. */
  #heard(place) {
    const cell = place && this.#store.board.at(...place);
    return cell ?? (place && this.#tool?.anywhere ? null : undefined);
  }

  #up(event) {
    if (event.pointerId !== this.#pointer) return;
    this.#pointer = null;
    (this.#tool ?? this).end?.(event);
    for (const resolve of this.#resting.splice(0)) resolve();
  }

  /** The place under the pointer, if it is not too near a corner: so a diagonal is easy to draw. */
  #near(clientX, clientY) {
    const [x, y] = this.#board.pointAt(clientX, clientY);
    const aside = Math.hypot((x % 1) - 0.5, (y % 1) - 0.5);
    return aside < 0.46 ? this.#board.placeAt(clientX, clientY) : null;
  }

  /** Choosing cells: a press alone begins anew, with Ctrl or Shift it adds or takes away. */
  start(cell, { event }) {
    const { selection } = this.#store;
    const keeps = this.isMany || event.ctrlKey || event.metaKey || event.shiftKey;
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

/** The places from the last one to another: those between as well if the way is straight, because
 * a quick pointer leaves some out. */
function wayTo(place, last) {
  const [down, right] = [place[0] - last[0], place[1] - last[1]];
  const steps = Math.max(Math.abs(down), Math.abs(right));
  if (down && right && Math.abs(down) !== Math.abs(right)) return [place];
  const [row, column] = [Math.sign(down), Math.sign(right)];
  return Array.from({ length: steps }, (_, i) => [
    last[0] + row * (i + 1),
    last[1] + column * (i + 1),
  ]);
}
