/* How far somebody has come in solving a puzzle: notes, what was before them, and the time.
 *
 * Invariant: the progress of each puzzle is kept in the browser under what the puzzle states, so
 * another puzzle never shows it, and the same puzzle shows it again. It is no part of the puzzle.
 *
 * Events: "notes" (detail: a label) after each change; "time" when the clock starts, stops or ticks.
 */

import { History } from "./history.js";
import { BLANK, isBlank, readNotes } from "./notes.js";

const KEPT = "satdoku-progress"; // in the local storage, by puzzle, the last one used at the end
const MOST_PUZZLES = 200;
const MOST_STEPS = 1000;

export class Progress extends EventTarget {
  notes = BLANK;
  isSolved = false;
  #key = "";
  #seconds = 0; // of the clock, up to when it was last stopped
  #since = null; // when the clock was started, null while it stands
  #tick = null;
  history = new History(MOST_STEPS, () => this.notes, (notes, label) => {
    this.notes = notes;
    this.#told(label);
  });

  /** Loads what is kept for a puzzle, whose `key` is a text. Nothing kept: the notes are blank, or
   * with `carry` those of the puzzle before, as far as it lets them through. */
  open(key, carry = null) {
    if (key === this.#key) return;
    const [before, seconds] = [this.notes, this.seconds];
    const isFirst = this.#key === "";
    this.#key = key;
    const kept = keptOf(key);
    const follows = carry && !isFirst && !kept;
    this.notes = follows ? carry(before) : readNotes(kept?.notes);
    this.#seconds = follows ? seconds : Number(kept?.seconds) || 0;
    this.isSolved = kept?.isSolved === true;
    this.history.clear();
    if (this.#since !== null) this.#since = Date.now();
    this.#told("");
  }

  /** Other notes take the place of these. */
  change(notes, label) {
    if (notes === this.notes || JSON.stringify(notes) === JSON.stringify(this.notes)) return;
    this.history.add(this.notes, label);
    this.notes = notes;
    this.#told(label);
  }

  /** Begins the puzzle again: no notes (which can be undone), and the clock at 0. */
  restart() {
    this.change(BLANK, "restart");
    this.isSolved = false;
    this.#seconds = 0;
    if (this.#since !== null) this.#since = Date.now();
    this.#save();
    this.dispatchEvent(new CustomEvent("time"));
  }

  /** The puzzle is solved: the clock stands from now on. */
  solve() {
    this.pause();
    this.isSolved = true;
    this.#save();
    this.dispatchEvent(new CustomEvent("time"));
  }

  /** The time on the clock in seconds. */
  get seconds() {
    return this.#seconds + (this.#since === null ? 0 : (Date.now() - this.#since) / 1000);
  }

  get isRunning() {
    return this.#since !== null;
  }

  /** Starts the clock, unless the puzzle is solved. */
  run() {
    if (this.isRunning || this.isSolved) return;
    this.#since = Date.now();
    this.#tick = setInterval(() => this.dispatchEvent(new CustomEvent("time")), 1000);
    this.dispatchEvent(new CustomEvent("time"));
  }

  /** Stops the clock. */
  pause() {
    if (!this.isRunning) return;
    this.#seconds = this.seconds;
    this.#since = null;
    clearInterval(this.#tick);
    this.#save();
    this.dispatchEvent(new CustomEvent("time"));
  }

  #told(label) {
    if (label) this.#save();
    this.dispatchEvent(new CustomEvent("notes", { detail: label }));
  }

  #save() {
    const { notes, isSolved } = this;
    const seconds = Math.round(this.seconds);
    const others = load().filter(([key]) => key !== this.#key);
    const isKept = !isBlank(notes) || seconds > 0;
    const mine = isKept ? [[this.#key, { notes, seconds, isSolved }]] : [];
    keep([...others, ...mine].slice(-MOST_PUZZLES));
  }
}

/** What is kept for a puzzle, {notes, seconds, isSolved}; undefined if nothing is. */
export function keptOf(key) {
  return load().find(([other]) => other === key)?.[1];
}

function load() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT) ?? "[]");
    return Array.isArray(kept) ? kept.filter(Array.isArray) : [];
  } catch {
    return [];
  }
}

/** Keeps as many of the last ones as the browser has room for. */
function keep(all) {
  for (let kept = all; ; kept = kept.slice(1 + (kept.length >> 1))) {
    try {
      localStorage.setItem(KEPT, JSON.stringify(kept));
      return;
    } catch {
      if (!kept.length) return;
    }
  }
}

/** A time as people read it: 3:05, 1:02:03. */
export function clockText(seconds) {
  const whole = Math.floor(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const two = (number) => String(number).padStart(2, "0");
  const tail = two(whole % 60);
  return hours ? `${hours}:${two(minutes)}:${tail}` : `${minutes}:${tail}`;
}
