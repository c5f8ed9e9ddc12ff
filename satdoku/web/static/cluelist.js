/* The clues of the puzzle: what each says, where it is, and buttons to change or delete it.
 *
 * Invariant: the list is the puzzle's own, in its order.
 */

import { button, el } from "./dom.js";

export class ClueList {
  #said = new Map(); // what the server says of the text of a clue: {says, cells}
  #ticks = false;

  /** `clues` is told to `edit(place)` or `remove(place)`. */
  constructor(store, board, clues) {
    Object.assign(this, { store, board, clues });
    this.title = el("h3", {});
    this.list = el("ol", { class: "list clues" });
    this.element = el("section", { "aria-label": "Clues of the puzzle" }, this.title, this.list);
    store.addEventListener("puzzle", ({ detail }) => {
      if (detail.before.clues !== store.puzzle.clues) this.#show();
    });
    board.addEventListener("picture", ({ detail }) => {
      this.#said = new Map((detail.clues ?? []).map((clue) => [clue.text, clue]));
      this.#show();
    });
    this.#show();
  }

  /** The places of the ticked clues. */
  get ticked() {
    return [...this.list.querySelectorAll("input:checked")].map((box) => Number(box.value));
  }

  /** Shows boxes to tick, or takes them away. */
  setTicks(on) {
    this.#ticks = Boolean(on);
    this.#show();
  }

  #show() {
    const clues = this.store.puzzle.clues ?? [];
    this.board.setGlow(null);
    this.title.textContent = clues.length ? `Clues (${clues.length})` : "No clues yet";
    this.list.replaceChildren(...clues.map((text, place) => this.#item(text, place)));
  }

  #item(text, place) {
    const { says, cells, warning } = this.#said.get(text) ?? {};
    const words = el("span", { class: "words", title: says ?? "" }, el("code", {}, text));
    words.append(el("small", {}, says ?? ""));
    if (warning) words.append(el("small", { class: "warning" }, warning.slice(text.length + 2)));
    const edit = button("✎", () => this.clues.edit(place), {
      class: "button quiet",
      title: "Edit",
    });
    const remove = button("✕", () => this.clues.remove(place), {
      class: "button quiet",
      title: "Delete",
    });
    edit.setAttribute("aria-label", `Edit ${text}`);
    remove.setAttribute("aria-label", `Delete ${text}`);
    const tick = this.#ticks ? el("input", { type: "checkbox", value: place }) : null;
    tick?.setAttribute("aria-label", `Join ${text}`);
    const item = el("li", {}, tick, words, edit, remove);
    const glow = (on) => () => this.board.setGlow(on ? cells : null);
    for (const name of ["pointerenter", "focusin"]) item.addEventListener(name, glow(true));
    for (const name of ["pointerleave", "focusout"]) item.addEventListener(name, glow(false));
    words.addEventListener("click", () => cells && this.#choose(cells));
    return item;
  }

  /** Chooses the cells of a clue, or the places of those of layers. */
  #choose(cells) {
    const seats = cells.map((cell) => this.store.board.seat(cell));
    this.store.select(seats.filter((cell) => cell !== null));
  }
}
