/* The panel of answers: is there still a solution, which digits are left, what broke it, what is next.
 *
 * Invariant: it tells only what it is asked for, and an answer belongs to the digits on the board: a
 * change takes it away, and an answer that comes after it is not shown.
 */

import { button, el } from "../static/dom.js";
import { withDigits, without } from "../static/notes.js";
import { overlayOf } from "../static/overlay.js";
import { choiceOf, switchOf } from "../static/parts.js";
import { NO, UNKNOWN, YES, inOrder } from "./judge.js";

const WATCH = "satdoku-watch"; // in the local storage
const SMALL = [
  ["", "none"],
  ["free", "that clash with nothing"],
  ["solutions", "that solutions have"],
];
const LATE = "Not known: the search gave up.";
const SAID = { [YES]: "There is still a solution.", [NO]: "No solution is left.", [UNKNOWN]: LATE };

export class Answers {
  #judge = null;
  #of = 0; // changes so far, so that late answers are known
  #hint = null; // the one that is shown in part
  #found = null; // the small digits that are shown

  constructor(element, { store, board, progress, solver }) {
    Object.assign(this, { store, board, progress, solver, overlay: overlayOf(board) });
    this.status = el("p", { class: "status", role: "status" }, "…");
    this.says = el("p", { class: "says", role: "status" });
    this.watch = switchOf("Watch", "say at once when no solution is left",
      localStorage.getItem(WATCH) === "true", (isOn) => this.#watch(isOn));
    this.small = choiceOf(SMALL);
    this.small.addEventListener("change", () => this.#try(this.#small()));
    this.which = button("Which entry broke it?", () => this.#try(this.#which()), { hidden: true });
    this.act = el("span", { class: "row" }); // what can be done about an answer
    this.parts = el("div", { class: "card" },
      el("div", { class: "row" }, button("Hint", () => this.#try(this.#next()), { title: "a cell that can be filled now" }),
        this.which, this.watch),
      el("label", { class: "field row" }, el("span", {}, "Candidates"), this.small),
      this.says, this.act);
    this.parts.hidden = true;
    element.append(this.status, this.parts);
    progress.addEventListener("notes", () => this.#changed());
  }

  /** Another puzzle is on the page: nothing is known of it yet. */
  close() {
    this.#judge = null;
    this.parts.hidden = true;
    this.status.textContent = "…";
    this.small.value = "";
    this.#changed();
  }

  /** Answers from now on about the puzzle of a judge. */
  async open(judge) {
    this.#judge = judge;
    this.parts.hidden = false;
    this.#changed();
    const { Status } = judge.kernel;
    const status = await judge.status();
    if (judge !== this.#judge) return;
    const words = {
      [Status.UNIQUE]: "The puzzle has one solution.", [Status.MULTIPLE]: "The puzzle has several solutions.",
      [Status.NONE]: "The puzzle has no solution.", [Status.INVALID]: "The puzzle has no solution: givens clash.",
    };
    this.status.textContent = words[status] ?? `Number of solutions: ${LATE.toLowerCase()}`;
  }

  /** No answers: why. */
  fail(words) {
    this.status.textContent = words;
  }

  /** The digits on the board, given or entered. */
  get digits() {
    const { tried } = this.solver;
    return this.store.digits.map((given, cell) => this.board.given(cell) || given || tried[cell]);
  }

  /** Answers to the panel Solve: see `possible` of the server. Throws if it is not known. */
  async check() {
    if (!this.#judge) throw new Error(this.status.textContent);
    const { digits } = this;
    const judge = this.#judge, of = this.#of;
    const answer = await judge.possible(digits);
    if (answer === UNKNOWN) throw new Error(LATE);
    const wrong = answer === NO ? await judge.wrong(digits) : [];
    if (of === this.#of) this.which.hidden = answer !== NO;
    return { possible: answer === YES, left: digits.filter((digit) => !digit).length, wrong };
  }

  #changed() {
    this.#of += 1;
    this.#hint = null;
    this.#tell("");
    this.which.hidden = true;
    this.overlay.hide("hint");
    if (!this.#judge) this.overlay.hide("small");
    else this.#follow();
  }

  /** Says something of the digits on the board, with buttons for what can be done about it. */
  #tell(words, ...buttons) {
    this.says.textContent = words;
    this.act.replaceChildren(...buttons);
  }

  /** What comes by itself. */
  #follow() {
    this.#try(this.#small());
    if (this.watch.firstChild.checked) this.#try(this.#look());
  }

  /** Says what went wrong with an answer. */
  #try(asked) {
    asked.catch((error) => this.#tell(error.message));
  }

  #watch(isOn) {
    localStorage.setItem(WATCH, isOn);
    if (isOn) this.#try(this.#look());
    else this.#changed();
  }

  async #look() {
    const of = this.#of;
    const answer = await this.#judge.possible(this.digits, true);
    if (of !== this.#of) return;
    this.which.hidden = answer !== NO;
    this.#tell(SAID[answer]);
  }

  /** Shows the small digits that are chosen, in place of notes. */
  async #small() {
    const { value } = this.small;
    document.body.toggleAttribute("data-small", Boolean(value));
    this.#found = null;
    if (!value || !this.#judge) return this.overlay.hide("small");
    const of = this.#of;
    const found = value === "free" ? this.#judge.free(this.digits) : await this.#judge.candidates(this.digits);
    if (of !== this.#of || value !== this.small.value) return undefined;
    if (!found) this.#tell(LATE);
    this.#found = found ?? this.store.board.names.map(() => []);
    return this.overlay.update("small", { candidates: this.#found });
  }

  /** Colours cells and digits, over the small digits that are shown. */
  #light(highlights) {
    this.overlay.show("hint", { highlights, candidates: this.#found });
  }

  /** Which entry broke it, and a button that takes it back. */
  async #which() {
    const { progress, store } = this;
    const of = this.#of;
    const entries = inOrder([...progress.history.past.map(([notes]) => notes), progress.notes])
      .filter(([cell]) => !this.board.given(cell));
    this.#tell("…");
    const at = await this.#judge.breaking(entries);
    if (of !== this.#of) return;
    if (at === null) return this.#tell(LATE);
    if (at < 0) return this.#tell("The puzzle has no solution by itself.");
    const [cell, digit] = entries[at];
    const name = `${store.board.text(digit, cell)} in ${store.board.name(cell)}`;
    this.#light({ conflict: [cell] });
    const back = () => progress.change(without(progress.notes, ["digits"], [cell]), `take back ${name}`);
    this.#tell(`${name} broke it: before it there was a solution.`, button("Take it back", back));
  }

  /** The next cell: first where it is, then its digit. */
  async #next() {
    if (this.#hint) return this.#whole();
    const { digits } = this;
    const of = this.#of;
    this.#tell("…");
    const answer = await this.#judge.possible(digits);
    if (of !== this.#of) return undefined;
    if (answer === NO) this.which.hidden = false;
    if (answer !== YES) return this.#tell(SAID[answer]);
    if (digits.every(Boolean)) return this.#tell("Every cell is filled.");
    const hint = await this.#judge.hint(digits);
    if (of !== this.#of) return undefined;
    if (!hint) return this.#tell("No cell is certain, as far as the search came.");
    this.#hint = hint;
    const { cell, house, words } = hint;
    this.#light({ house, reason: [cell] });
    const more = button("Its digit", () => this.#whole());
    return this.#tell(`Look at ${this.store.board.name(cell)}. ${words}`, more);
  }

  #whole() {
    const { cell, digit, house } = this.#hint;
    const { progress, store } = this;
    const name = `${store.board.text(digit, cell)} in ${store.board.name(cell)}`;
    this.#light({ house, conclusion: [[cell, digit]] });
    const enter = () => progress.change(withDigits(progress.notes, [[cell, digit]]), name);
    this.#tell(`${name}.`, button("Enter it", enter));
  }
}
