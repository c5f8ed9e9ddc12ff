/* The board: digits, candidates or a solution in its cells, moved over by keys, the mouse or a finger.
 *
 * Invariant: it shows what it is given and tells which digit is wanted where; one cell is the current
 * one, which Tab reaches, and each cell has its place and its content as a name.
 */

import { nameOf } from "./links.js";
import { el } from "./shared/dom.js";

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

export class Board {
  element = el("div", { class: "grid", role: "grid", "aria-label": "Puzzle", onkeydown: (event) => this.#key(event) });
  current = 0;
  #onput;
  #size = 0;
  #cells = [];

  /** `onput(cell, digit)` hears what is wanted, 0 to clear. */
  constructor(onput) {
    this.#onput = onput;
  }

  /** Makes the cells. boxes: the cells of each box. */
  shape(size, boxes) {
    if (size === this.#size) return;
    const hadFocus = this.element.contains(document.activeElement);
    this.#size = size;
    this.current = 0;
    const boxOf = (cell) => boxes.findIndex((box) => box.includes(cell));
    this.#cells = Array.from({ length: size * size }, (_, cell) => {
      const row = Math.floor(cell / size), column = cell % size;
      const sides = [
        row && boxOf(cell) !== boxOf(cell - size) ? "under" : "", column && boxOf(cell) !== boxOf(cell - 1) ? "beside" : "",
      ];
      const choose = () => this.#choose(cell);
      return el("div", { class: `place ${sides.join(" ")}`, role: "gridcell", onclick: choose, onfocus: choose, tabindex: -1 });
    });
    const row = (number) => el("div", { role: "row", class: "line" }, this.#cells.slice(number * size, (number + 1) * size));
    this.element.replaceChildren(...Array.from({ length: size }, (_, number) => row(number)));
    this.element.style.setProperty("--size", size);
    this.element.style.setProperty("--across", boxes[0].filter((cell) => cell < size).length);
    this.#choose(0, hadFocus);
  }

  /** Shows digits, and in empty cells those of a solution, or candidates: a list for each cell.
   * wrong, shaded: cells that clash, and those of houses of rules. */
  show({ digits, solution, candidates, wrong, shaded }) {
    this.#cells.forEach((element, cell) => {
      const found = digits[cell] ? 0 : (solution?.[cell] ?? 0);
      const small = digits[cell] || found ? null : candidates?.[cell];
      const places = Array.from({ length: this.#size }, (_, i) => el("span", {}, small?.includes(i + 1) ? `${i + 1}` : ""));
      element.replaceChildren(...(small ? [el("div", { class: "small" }, places)] : [`${digits[cell] || found || ""}`]));
      for (const [name, isOn] of Object.entries({
        found, wrong: wrong.has(cell), shaded: shaded.has(cell), dead: small && !small.length,
      })) element.classList.toggle(name, Boolean(isOn));
      element.setAttribute("aria-label", `${this.#spoken(cell)}, ${told(digits[cell], found, small)}`);
      element.setAttribute("aria-invalid", wrong.has(cell));
    });
  }

  #spoken(cell) {
    return `row ${Math.floor(cell / this.#size) + 1} column ${(cell % this.#size) + 1}`;
  }

  /** The current cell as people write it. */
  get name() {
    return nameOf(this.current, this.#size);
  }

  #choose(cell, isFocused = false) {
    this.#cells[this.current]?.setAttribute("tabindex", -1);
    this.#cells[this.current]?.classList.remove("current");
    this.current = cell;
    this.#cells[cell].setAttribute("tabindex", 0);
    this.#cells[cell].classList.add("current");
    if (isFocused) this.#cells[cell].focus();
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event, size = this.#size, row = Math.floor(this.current / size), column = this.current % size;
    const step = STEPS[key];
    if (step) this.#choose(((row + step[0] + size) % size) * size + ((column + step[1] + size) % size), true);
    else if (key === "Home" || key === "End") this.#choose(row * size + (key === "End" ? size - 1 : 0), true);
    else if (key === "PageUp" || key === "PageDown") this.#choose((key === "PageDown" ? size - 1 : 0) * size + column, true);
    else if (/^[0-9]$/.test(key) && Number(key) <= size) this.#onput(this.current, Number(key));
    else if (["Backspace", "Delete", ".", " "].includes(key)) this.#onput(this.current, 0);
    else return;
    event.preventDefault();
  }
}

function told(digit, found, small) {
  if (digit) return `${digit}`;
  if (found) return `empty, ${found} in the solution`;
  if (small) return small.length ? `empty, candidates ${small.join(" ")}` : "empty, no candidate";
  return "empty";
}
