/* The panel of the solve path that was exported with a puzzle: one step after another, in words.
 *
 * Invariant: a step is shown when it is asked for, and no sooner; what it says stands in the page as
 * Python has proved it.
 */

import { button, el } from "../static/dom.js";
import { withDigits } from "../static/notes.js";
import { overlayOf } from "../static/overlay.js";

export class Path {
  #steps = [];
  #at = -1; // the step that is shown, -1 for none
  #stage = 0; // how much of it: the hints, then the step

  constructor(element, { board, progress }) {
    Object.assign(this, { element, board, progress, overlay: overlayOf(board) });
    this.count = el("h3", {});
    this.says = el("div", { class: "says", role: "status" });
    this.enter = button("Enter it", () => this.#enter(), { hidden: true });
    this.more = button("Tell more", () => this.#more(), { hidden: true });
    element.append(
      this.count,
      el("div", { class: "row" },
        button("Next step", () => this.#next(), { title: "the first step whose digit is not entered" }),
        button("‹", () => this.#go(this.#at - 1), { "aria-label": "The step before" }),
        button("›", () => this.#go(this.#at + 1), { "aria-label": "The step behind" }),
        this.more, this.enter),
      this.says,
    );
    progress.addEventListener("notes", () => this.#hide());
  }

  /** The path of another puzzle; null for none. */
  open(path) {
    this.#steps = path?.steps ?? [];
    this.element.hidden = !path;
    this.#at = -1;
    const { length } = this.#steps;
    this.count.textContent = path ? `Path: ${length} steps${path.problem ? `; ${path.problem}` : ""}` : "Path";
    this.#hide();
  }

  #hide() {
    this.says.replaceChildren();
    this.enter.hidden = this.more.hidden = true;
    this.overlay.hide("path");
  }

  /** The first step behind all whose digits are on the board that is not done itself. */
  #next() {
    const { digits } = this.progress.notes;
    const isDone = ({ placed: [placed] }) => placed && (this.board.given(placed[0]) || digits[placed[0]]);
    const open = this.#steps.findIndex(({ placed }, i) => placed.length && !isDone(this.#steps[i]));
    const before = this.#steps.slice(0, Math.max(open, 0)).findLastIndex(isDone);
    const first = open < 0 ? this.#steps.length - 1 : before + 1;
    const follows = this.#at >= first && this.#at < open && this.#stage === 2;
    if (this.#at >= first && this.#at <= open && this.#stage < 2 && this.says.firstChild) this.#more();
    else this.#go(follows ? this.#at + 1 : first, 0);
  }

  #go(at, stage = 2) {
    if (!this.#steps[at]) return;
    [this.#at, this.#stage] = [at, stage];
    this.#show();
  }

  #more() {
    this.#stage = Math.min(this.#stage + 1, 2);
    this.#show();
  }

  #show() {
    const step = this.#steps[this.#at];
    const hint = step.hints[this.#stage];
    const words = hint ? [`${hint.text}.`] : [step.brief, ...step.notes.split("\n").filter(Boolean)];
    this.count.textContent = `Path: step ${this.#at + 1} of ${this.#steps.length}`;
    this.says.replaceChildren(...words.map((text) => el("p", {}, text)));
    const { house, cover, reasons, eliminated, placed, links } = step;
    const highlights = hint ? { house: hint.house } : { house, cover, reason: reasons, eliminated, conclusion: placed, links };
    this.overlay.show("path", { highlights });
    this.more.hidden = !hint;
    this.enter.hidden = Boolean(hint) || !placed.length || this.board.given(placed[0][0]) > 0;
  }

  #enter() {
    const { placed } = this.#steps[this.#at];
    const [cell, digit] = placed[0];
    const label = `${this.board.plan.text(digit, cell)} in ${this.board.plan.name(cell)}`;
    this.progress.change(withDigits(this.progress.notes, placed), label);
  }
}
