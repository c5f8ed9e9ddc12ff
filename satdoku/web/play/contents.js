/* The puzzles of a booklet to choose from, with how far each of them has come.
 *
 * Invariant: of a page with one puzzle nothing of it is seen. The last puzzle that was chosen opens
 * again with the page.
 */

import { button, el } from "../static/dom.js";
import { clockText, keptOf } from "../static/progress.js";

const LAST = "satdoku-last"; // in the local storage: the key of the puzzle

export class Contents {
  #number = 0;

  /** `open(number)` shows a puzzle. */
  constructor(element, puzzles, progress, open) {
    Object.assign(this, { puzzles, open });
    this.select = el("select", { "aria-label": "Puzzle" });
    this.select.addEventListener("change", () => this.choose(this.select.selectedIndex));
    this.back = button("‹", () => this.choose(this.#number - 1), { "aria-label": "The puzzle before" });
    this.next = button("›", () => this.choose(this.#number + 1), { "aria-label": "The next puzzle" });
    element.append(this.back, this.select, this.next);
    element.hidden = puzzles.length < 2;
    const lines = puzzles.map(() => el("option", {}));
    this.select.append(...lines);
    for (const number of puzzles.keys()) this.#tell(number);
    for (const name of ["notes", "time"]) progress.addEventListener(name, () => this.#tell(this.#number));
  }

  /** Shows the puzzle that was shown last, or the first one. */
  begin() {
    const last = this.puzzles.findIndex(({ key }) => key === localStorage.getItem(LAST));
    this.choose(Math.max(last, 0));
  }

  choose(number) {
    if (!this.puzzles[number]) return;
    this.#number = this.select.selectedIndex = number;
    this.back.disabled = !number;
    this.next.disabled = number === this.puzzles.length - 1;
    if (this.puzzles.length > 1) localStorage.setItem(LAST, this.puzzles[number].key);
    this.open(number);
  }

  #tell(number) {
    const { title, key } = this.puzzles[number];
    const kept = keptOf(key);
    const said = kept?.isSolved ? ` ✓ ${clockText(kept.seconds)}` : kept ? " …" : "";
    const text = `${number + 1}. ${title}${said}`;
    const line = this.select.options[number];
    if (line.text !== text) line.text = text;
  }
}
