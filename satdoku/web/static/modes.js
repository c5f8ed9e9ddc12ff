/* The three modes of the page: to set a puzzle, to solve it, to study it.
 *
 * Invariant: the mode decides whose digits are typed and which panels are seen, and nothing else: no
 * mode changes the puzzle or the progress.
 *
 * Event: "mode" after each change.
 */

import { button, el } from "./dom.js";

const KEPT = "satdoku-mode"; // in the session storage of the tab
export const MODES = [
  { name: "set", text: "Set", says: "digits and clues belong to the puzzle" },
  { name: "solve", text: "Solve", says: "your digits and notes; no answer is shown" },
  { name: "study", text: "Study", says: "your digits and notes, with answers and steps" },
];

export class Modes extends EventTarget {
  name = "";
  canSet = true;
  #buttons;

  /** Adds a button for each mode to an element. */
  constructor(element) {
    super();
    const group = el("div", { class: "modes", role: "group", "aria-label": "Mode" });
    this.#buttons = MODES.map(({ name, text, says }) =>
      button(text, () => this.choose(name), { title: `${says} (M: the next mode)` }),
    );
    group.append(...this.#buttons);
    element.append(group);
    this.choose(sessionStorage.getItem(KEPT));
  }

  /** Whether digits that are typed belong to the puzzle. */
  get isSet() {
    return this.name === "set";
  }

  /** Whether answers are hidden. */
  get isSolve() {
    return this.name === "solve";
  }

  /** What the mode is for, in words. */
  get spoken() {
    const { text, says } = MODES.find(({ name }) => name === this.name);
    return `${text}: ${says}`;
  }

  choose(name) {
    this.name = MODES.some((mode) => mode.name === name) ? name : "set";
    sessionStorage.setItem(KEPT, this.name);
    document.body.dataset.mode = this.name;
    for (const [i, mode] of MODES.entries()) {
      this.#buttons[i].setAttribute("aria-pressed", mode.name === this.name);
    }
    this.dispatchEvent(new CustomEvent("mode"));
  }

  next() {
    const here = MODES.findIndex(({ name }) => name === this.name);
    this.choose(MODES[(here + 1) % MODES.length].name);
  }
}
