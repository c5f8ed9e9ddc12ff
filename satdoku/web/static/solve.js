/* The panel of somebody who solves: the clock, whether all is right so far, a new start.
 *
 * Invariant: a verdict belongs to the notes on the board; a change takes it away. The panel says
 * what is wrong only when it is asked.
 *
 * Event: "digits" when the digits that steps lead on from have changed.
 */

import { button, el } from "./dom.js";
import { withDigits } from "./notes.js";
import { overlayOf } from "./overlay.js";
import { clockText } from "./progress.js";

const WRONG = "Something is wrong: no solution has these digits.";

/** Mounts the panel; the clock runs in the mode Solve while the page is seen. `possible({puzzle,
 * tried})` answers as the server's question of that name. */
export function mount(element, page) {
  return new Solving(element, page);
}

class Solving extends EventTarget {
  constructor(element, { store, board, possible, progress, modes }) {
    super();
    Object.assign(this, { store, board, possible, progress, modes, overlay: overlayOf(board) });
    this.isPaused = false; // by the button
    this.wrong = []; // cells, as the last verdict has them
    this.before = ""; // the digits that steps led on from
    this.clock = el("span", { class: "clock", role: "timer", "aria-label": "Time" });
    this.pause = button("Pause", () => this.#togglePause());
    this.says = el("p", { class: "says", role: "status" });
    this.show = button("Show which", () => this.#showWrong(), { hidden: true });
    element.append(
      el("div", { class: "row timing" }, this.clock, this.pause),
      el("div", { class: "row" },
        button("Check", () => this.check(), { title: "whether your digits are part of a solution" }),
        this.show,
        button("Start again", () => this.progress.restart(), { class: "button quiet" })),
      this.says,
    );
    progress.addEventListener("notes", () => this.#changed());
    progress.addEventListener("time", () => this.#tell());
    modes.addEventListener("mode", () => {
      this.#runs();
      this.#digits();
    });
    document.addEventListener("visibilitychange", () => this.#runs());
    addEventListener("pagehide", () => progress.pause());
    this.#runs();
    this.#tell();
  }

  /** The digits tried in all cells, those of layers among them, 0 for none. */
  get tried() {
    const { digits } = this.progress.notes;
    return this.store.board.names.map((_, cell) => (this.board.given(cell) ? 0 : (digits[cell] ?? 0)));
  }

  /** The puzzle that steps lead on from: with the digits that were entered, but in the mode Set. */
  get puzzle() {
    const { puzzle, board, digits } = this.store;
    if (this.modes.isSet) return puzzle;
    const mine = this.progress.notes.digits;
    return { ...puzzle, puzzle: board.write(digits.map((given, cell) => given || (mine[cell] ?? 0))) };
  }

  /** The digits that were entered since a puzzle was as it is told: pairs of a cell and a digit;
   * null if one was taken away. */
  since(puzzle) {
    const { board } = this.store;
    const [old, now] = [puzzle, this.puzzle].map((each) => board.read(each.puzzle));
    if (old.some((digit, cell) => digit && digit !== now[cell])) return null;
    return [...now.entries()].filter(([cell, digit]) => digit && !old[cell]);
  }

  /** Enters digits: pairs of a cell and a digit. */
  enter(pairs, label) {
    if (this.modes.isSet) this.modes.choose("study");
    const free = pairs.filter(([cell]) => !this.board.given(cell));
    this.progress.change(withDigits(this.progress.notes, free), label);
  }

  /** What is wrong with the digits entered, in words; empty if nothing is. */
  async fault() {
    if (this.modes.isSet || !this.tried.some(Boolean)) return "";
    return (await this.check()) ? "" : this.says.textContent;
  }

  #togglePause() {
    this.isPaused = !this.isPaused;
    this.#runs();
    if (!this.isPaused) this.board.focus();
  }

  #runs() {
    const isSeen = this.modes.isSolve && document.visibilityState === "visible";
    if (isSeen && !this.isPaused) this.progress.run();
    else this.progress.pause();
    document.body.classList.toggle("paused", this.modes.isSolve && this.isPaused);
    this.#tell();
  }

  #tell() {
    this.clock.textContent = clockText(this.progress.seconds);
    this.pause.textContent = this.isPaused ? "Go on" : "Pause";
    this.pause.disabled = this.progress.isSolved;
  }

  #changed() {
    this.wrong = [];
    this.says.textContent = "";
    this.show.hidden = true;
    this.overlay.hide("wrong");
    this.#finish();
    this.#runs();
    this.#digits();
  }

  #digits() {
    const text = this.puzzle.puzzle;
    if (text === this.before) return;
    this.before = text;
    this.dispatchEvent(new CustomEvent("digits"));
  }

  /** A full board is checked without being asked. */
  #finish() {
    const { progress, store, board } = this;
    const isFull = store.board.all.every((cell) => board.given(cell) || progress.notes.digits[cell]);
    if (!isFull || !Object.keys(progress.notes.digits).length) return;
    if (progress.isSolved) this.says.textContent = this.#solved;
    else this.check();
  }

  get #solved() {
    return `Solved in ${clockText(this.progress.seconds)}.`;
  }

  /** Asks whether a solution has the digits on the board, and tells it. Returns whether there is. */
  async check() {
    const { progress, store, possible, tried } = this;
    const { notes } = progress;
    this.says.textContent = "…";
    let answer;
    try {
      answer = await possible({ puzzle: store.puzzle, tried });
    } catch (error) {
      this.says.textContent = error.message;
      return false;
    }
    if (progress.notes !== notes) return answer.possible;
    this.wrong = answer.wrong;
    this.show.hidden = !this.wrong.length;
    if (!answer.possible) this.says.textContent = wrongText(this.wrong.length);
    else if (answer.left) this.says.textContent = `Right so far. Cells left: ${answer.left}.`;
    else {
      progress.solve();
      this.says.textContent = this.#solved;
      this.board.announce(this.#solved);
    }
    return answer.possible;
  }

  #showWrong() {
    this.overlay.show("wrong", { highlights: { conflict: this.wrong } });
  }
}

/** A verdict on digits that no solution has, some of which are known to be wrong. */
function wrongText(count) {
  if (!count) return WRONG;
  return count === 1 ? "One digit is wrong." : `${count} digits are wrong.`;
}
