/* Holes: cells dropped from the board and added again, with the mouse.
 *
 * Invariant: a stroke changes the board once, when it is over; it drops cells if it began on one,
 * and adds them if it began on a hole.
 */

import { button } from "./dom.js";

export class HoleTool {
  anywhere = true; // also where no cell is
  #isOn = false;
  #drops = true;
  #met = new Set(); // names of places of the stroke

  /** `reshape(wanted, label)` changes the form of the board. */
  constructor(store, board, tools, reshape) {
    Object.assign(this, { store, board, tools, reshape });
    this.opener = button("Drop or add cells", () => this.#toggle(), {
      title: "drag over cells to drop them, or over holes to add them",
    });
    store.addEventListener("puzzle", () => this.#show());
  }

  #toggle() {
    const wasOn = this.#isOn;
    this.tools.take(wasOn ? null : this);
    this.#isOn = !wasOn;
    this.#show();
  }

  release() {
    this.#isOn = false;
    this.board.setDraft(null);
    this.#show();
  }

  start(cell, { place }) {
    this.#drops = cell !== null;
    this.#met = new Set();
    this.over(cell, place);
  }

  over(cell, [row, column]) {
    if ((cell !== null) === this.#drops) this.#met.add(`r${row + 1}c${column + 1}`);
  }

  end() {
    const met = this.#met;
    if (this.#drops) this.reshape(({ holes }) => ({ holes: [...new Set([...holes, ...met])] }), "holes");
    else if (met.size) {
      this.reshape(({ holes }) => ({ holes: holes.filter((name) => !met.has(name)) }), "cells");
    }
  }

  /** Keys on the board drop the chosen cells. */
  key({ key }) {
    if (key === "Escape") this.tools.take(null);
    else if (key === "Delete" || key === "Backspace") {
      this.#drops = true;
      this.#met = new Set([...this.store.selection].map((cell) => this.store.board.name(cell)));
      this.end();
    } else return false;
    return true;
  }

  #show() {
    this.opener.setAttribute("aria-pressed", this.#isOn);
    if (!this.#isOn) return;
    const place = (name) => name.slice(1).split("c").map((number) => number - 1);
    this.board.setDraft({ holes: this.store.board.form.holes.map(place) });
  }
}
