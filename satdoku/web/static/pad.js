/* The pad under a board: a button for each digit or colour, and one that clears.
 *
 * Invariant: it shows and tells what is pressed; what a press means is for others to say.
 */

import { button, el } from "./dom.js";

export class Pad {
  #onpress;
  #clear;
  #shown = "";
  element = el("div", { class: "pad", role: "group", "aria-label": "Digits" });

  /** `onpress(number)` hears the buttons, counted from 1, `onclear()` the last one. */
  constructor(onpress, onclear) {
    this.#onpress = onpress;
    this.#clear = button("⌫", onclear, { class: "button digit-button", "aria-label": "Clear" });
  }

  /** Shows texts of digits, or of colours, which have names but no text. */
  show(texts, sort) {
    this.element.dataset.sort = sort;
    const key = JSON.stringify([texts, sort === "colours"]);
    if (key === this.#shown) return;
    this.#shown = key;
    const isColour = sort === "colours";
    const buttons = texts.map((text, index) => {
      const look = `button digit-button${isColour ? ` swatch colour-${index + 1}` : ""}`;
      const properties = { class: look, "aria-label": isColour ? `Colour ${text}` : null };
      return button(isColour ? "" : text, () => this.#onpress(index + 1), properties);
    });
    this.element.replaceChildren(...buttons, this.#clear);
    const count = texts.length + 1;
    this.element.style.setProperty("--wide", count <= 10 ? count : Math.ceil(count / 2));
    this.element.style.setProperty("--narrow", Math.ceil(count / (count <= 10 ? 2 : 3)));
  }

  /** Shows which digit a brush has, 0 for none. */
  dip(digit) {
    for (const [place, each] of [...this.element.children].entries()) {
      each.classList.toggle("dipped", place + 1 === digit);
    }
  }
}
