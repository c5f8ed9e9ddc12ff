/* Study of a puzzle: its steps one by one, its rating, why a digit does not fit, its symmetry.
 *
 * Invariant: the steps listed lead on from the puzzle on the board; another puzzle clears them.
 */

import { button, el, field } from "./dom.js";
import { overlayOf } from "./overlay.js";
import { choiceOf, isSame, optionsOf, stopOf, tell } from "./parts.js";
import { Task } from "./task.js";

const LOOKING = "Looking for steps …";
const SHORT = "No technique finds a step within these levels.";

export function mount(element, store, board, api) {
  return new Study(element, store, board, api);
}

class Study {
  constructor(element, store, board, api) {
    Object.assign(this, { store, board, api, overlay: overlayOf(board), steps: [], shown: -1 });
    this.isWhole = false; // whether the list ends where the solution does
    this.hinted = 0; // the strength of the hint that is shown to the step after the one shown
    this.isBeyond = this.isShort = false; // whether contradictions are taken too; whether they may go on
    this.wanted = { number: 0 }; // the step to show when it comes, and whether a hint to it is asked for
    this.loading = null; // the signal of the steps that are on their way
    this.task = new Task((running) => (this.stop.hidden = !running));
    this.#build(element);
    store.addEventListener("puzzle", ({ detail }) => {
      if (!isSame(detail.before, store.puzzle)) this.#changed();
    });
    store.addEventListener("selection", () => this.#nameCell());
    store.addEventListener("plane", () => this.#nameCell());
    this.#nameCell();
  }

  #build(element) {
    this.says = el("p", { class: "says", role: "status" });
    this.stop = stopOf(this.task, this.says);
    this.list = el("ol", {
      class: "steps", role: "listbox", tabIndex: 0, hidden: true, "aria-label": "Steps",
      onkeydown: (event) => this.#walk(event),
    });
    this.after = el("div", { class: "row", hidden: true },
      button("Previous", () => this.#choose(this.shown - 1)),
      button("Write the digits", () => this.#write(), { title: "the digits of all steps up to this one" }),
    );
    this.close = button("Close", () => this.#clear(), { hidden: true });
    this.more = button("Go on with the smallest contradiction", () => this.#goOn(), { hidden: true });
    this.notes = el("p", { class: "note" });
    this.rating = el("p", { class: "rating" });
    element.append(
      el("div", { class: "row" },
        button("Next step", () => this.#next()),
        button("Hint", () => this.#hint(), { title: "first where to look, then which technique, then the step" }),
        button("All steps and rating", () => this.#all()),
        button("Symmetry", () => this.#symmetry()),
        this.stop,
      ),
      this.#whyForm(),
      this.says, this.notes, el("div", { class: "row" }, this.after, this.more, this.close), this.rating,
      this.list,
    );
  }

  #whyForm() {
    this.digit = choiceOf([]);
    this.where = el("span", { class: "where" });
    return el("div", { class: "row why" },
      field("Why not", this.digit, { class: "field row" }), "in ", this.where, button("Why?", () => this.#why()));
  }

  #nameCell() {
    const { board, cursor } = this.store;
    const [cell] = this.store.meant([cursor]);
    this.where.textContent = `${board.name(cell)}?`;
    const { digits } = board.layerOf(cell) ?? board;
    if (String(this.offered) === String(digits)) return;
    this.offered = digits;
    this.digit.replaceChildren(...optionsOf(digits.map((digit, index) => [index + 1, `${digit}`])));
  }

  #changed() {
    this.#nameCell();
    this.#clear();
  }

  #clear() {
    this.task.stop();
    Object.assign(this, { steps: [], shown: -1, isWhole: false, hinted: 0, isBeyond: false, isShort: false });
    this.wanted = { number: 0 };
    this.list.replaceChildren();
    this.list.hidden = this.after.hidden = this.close.hidden = this.more.hidden = true;
    for (const each of [this.says, this.notes, this.rating]) each.textContent = "";
    this.overlay.hide("study");
  }

  /** One step more: the next of those known, or of those that are on their way, or asked for. */
  #next(isHint = false) {
    const number = this.shown + 1;
    this.wanted = { number, isHint };
    if (number < this.steps.length) this.#show(number, isHint);
    else if (this.isWhole) tell(this.says, this.isShort ? SHORT : "That was the last step.");
    else if (!this.loading || this.loading.aborted) this.#load(false);
  }

  /** All steps that follow those known; the one shown stays, else the first is. */
  #all() {
    this.wanted = { number: Math.max(this.shown, 0) };
    this.#load(true);
  }

  /** A stronger hint to the step after the one shown: where to look, which technique, the step. */
  #hint() {
    this.#next(true);
  }

  #show(number, isHint) {
    if (isHint && this.hinted < this.steps[number].hints.length) this.#tellHint(number);
    else this.#choose(number);
  }

  #tellHint(number) {
    const step = this.steps[number];
    const { text, house } = step.hints[this.hinted++];
    this.list.children[this.shown]?.setAttribute("aria-selected", "false");
    this.shown = number - 1;
    this.list.hidden = this.after.hidden = true; // the list tells the step
    this.close.hidden = false;
    tell(this.says, `Hint: ${text}.`);
    this.notes.textContent = "";
    const { marks: candidates } = step;
    const answer = placedBefore(step, this.steps.slice(0, number));
    this.overlay.show("study", { highlights: { house }, candidates, answer });
  }

  /** From where no technique finds a step. */
  #goOn() {
    this.wanted = { number: this.steps.length };
    Object.assign(this, { isBeyond: true, isWhole: false });
    this.#load(true);
  }

  /** The step that follows those known, or all that do. */
  #load(all) {
    const { isBeyond: beyond, isBeyond, wanted } = this;
    const after = this.steps.length;
    const puzzle = this.from && (after || beyond) ? this.from : this.store.puzzle;
    if (!after) this.#clear();
    Object.assign(this, { from: puzzle, isBeyond, wanted });
    tell(this.says, LOOKING);
    this.more.hidden = true;
    this.task.run(async (signal) => {
      this.loading = signal;
      let late = "";
      try {
        for await (const part of this.api.stream("steps", { puzzle, all, beyond, after }, { signal })) {
          if (part.step) this.#add(part.step);
          if (part.late) late = "Time ran out: there may be more steps.";
          if (part.done) this.#end(part, all, after, late);
        }
      } finally {
        if (this.loading === signal) this.loading = null;
      }
      if (!late && this.#isAhead()) this.#load(false);
    }, (error) => tell(this.says, error));
  }

  /** Whether a step is wanted that is not known yet: the button was pressed before an answer ended. */
  #isAhead() {
    return !this.isWhole && this.wanted.number >= this.steps.length;
  }

  #add(step) {
    const { number: wanted, isHint } = this.wanted;
    this.steps.push(step);
    const number = this.steps.length - 1;
    this.list.append(el("li", {
      id: `step-${number}`, role: "option", "aria-selected": "false",
      onclick: () => this.#choose(number),
    }, step.text));
    this.list.hidden = this.hinted > 0 || (isHint && number < wanted);
    if (number === wanted) this.#show(number, isHint);
  }

  #end({ rating, solved, short }, all, after, late) {
    const count = this.steps.length;
    Object.assign(this, { isWhole: !late && (all || count === after), isShort: short });
    this.more.hidden = !short;
    const nothing = "There is no next step: every candidate left is in some solution.";
    const { number } = this.wanted;
    if (!count) tell(this.says, late || (solved ? "The grid is full." : short ? SHORT : nothing));
    else if (this.#isAhead() && !late) tell(this.says, LOOKING);
    else if (number >= count) tell(this.says, late || (short ? SHORT : "That was the last step."));
    else if (number < after) this.#choose(number); // which was known before
    const steps = all && count ? [`${count} ${count === 1 ? "step" : "steps"}`] : [];
    const rated = rating ? [`rating ${rating.text}, scale of ${rating.scale}`] : [];
    const said = [late, all && count && short ? SHORT : "", [...steps, ...rated].join("; ")];
    if (all || rating || late) this.rating.textContent = said.filter(Boolean).join(" ");
  }

  #choose(number) {
    if (!(number in this.steps)) return;
    this.list.children[this.shown]?.setAttribute("aria-selected", "false");
    Object.assign(this, { shown: number, hinted: 0 });
    this.list.hidden = false;
    const item = this.list.children[number];
    item.setAttribute("aria-selected", "true");
    this.#scrollTo(item);
    this.list.setAttribute("aria-activedescendant", item.id);
    this.after.hidden = this.close.hidden = false;
    const step = this.steps[number];
    tell(this.says, `${number + 1}. ${step.brief}`);
    this.notes.textContent = step.notes;
    this.#light(step, this.steps.slice(0, number));
  }

  /** Scrolls the list, and never the page. */
  #scrollTo({ offsetTop: top, offsetHeight: height }) {
    const { scrollTop, clientHeight } = this.list;
    if (top < scrollTop) this.list.scrollTop = top;
    else if (top + height > scrollTop + clientHeight) this.list.scrollTop = top + height - clientHeight;
  }

  #walk(event) {
    const last = this.steps.length - 1;
    const to = {
      ArrowDown: this.shown + 1, ArrowUp: this.shown - 1, ArrowRight: this.shown + 1,
      ArrowLeft: this.shown - 1, Home: 0, End: last, PageDown: this.shown + 10,
      PageUp: this.shown - 10, Escape: -1,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation(); // the arrows move the cursor of the board otherwise
    if (event.key === "Escape") this.#clear();
    else this.#choose(Math.max(0, Math.min(last, to)));
  }

  /** Writes the digits placed up to the step shown into the cells, as digits tried. */
  #write() {
    const placed = this.steps.slice(0, this.shown + 1).flatMap((step) => step.placed);
    this.store.setEntries(placed, "digits of steps");
    this.#next();
  }

  #why() {
    const [cell] = this.store.meant([this.store.cursor]);
    const digit = Number(this.digit.value);
    this.#clear();
    tell(this.says, "Looking for the reasons …");
    this.task.run(async (signal) => {
      const body = { puzzle: this.store.puzzle, cell, digit };
      const answer = await this.api.call("why", body, { signal });
      tell(this.says, answer.text);
      this.close.hidden = false;
      if (answer.step) this.#light(answer.step);
      else this.overlay.show("study", { highlights: reasonsOf(answer, cell, digit) });
    }, (error) => tell(this.says, error));
  }

  /** Shows a step on the board; what the steps before placed is large. */
  #light(step, before = []) {
    const { house, cover, reasons: reason, links, placed: conclusion, marks } = step;
    const eliminated = conclusion.length ? [] : step.eliminated; // the rest of a placed digit is plain
    const answer = placedBefore(step, before);
    const highlights = { house, cover, reason, eliminated, conclusion, links };
    this.overlay.show("study", { highlights, candidates: marks, answer });
  }

  #symmetry() {
    this.#clear();
    this.task.run(async (signal) => {
      const answer = await this.api.call("symmetry", { puzzle: this.store.puzzle }, { signal });
      tell(this.says, answer.text);
    }, (error) => tell(this.says, error));
  }
}

/** For each cell the digit that the steps before have placed there, or 0. */
function placedBefore({ marks }, before) {
  const answer = marks.map(() => 0);
  for (const [cell, digit] of before.flatMap((each) => each.placed)) answer[cell] = digit;
  return answer;
}

/** What the answer to "why not" lights up: the units that it names, the givens, the digit. */
function reasonsOf({ units, cells, possible }, cell, digit) {
  const house = units.flatMap((unit) => unit.cells);
  const asked = { [possible ? "conclusion" : "eliminated"]: [[cell, digit]] };
  return { house, reason: cells.filter((each) => each !== cell), ...asked };
}
