/* Study of a puzzle: its steps one by one, its rating, why a digit does not fit, its symmetry.
 *
 * Invariant: the steps listed lead on from the puzzle on the board; another puzzle clears them.
 */

import { button, el, field } from "./dom.js";
import { overlayOf } from "./overlay.js";
import { choiceOf, isSame, optionsOf, tell } from "./parts.js";
import { Task } from "./task.js";

export function mount(element, store, board, api) {
  return new Study(element, store, board, api);
}

class Study {
  constructor(element, store, board, api) {
    Object.assign(this, { store, board, api, overlay: overlayOf(board), steps: [], shown: -1 });
    this.isWhole = false; // whether the list ends where the solution does
    this.task = new Task((running) => (this.stop.hidden = !running));
    this.#build(element);
    store.addEventListener("puzzle", ({ detail }) => {
      if (!isSame(detail.before, store.puzzle)) this.#changed();
    });
    store.addEventListener("selection", () => this.#nameCell());
    store.addEventListener("plane", () => this.#nameCell());
    this.#nameCell();
  }

  #halt() {
    this.task.stop();
    tell(this.says, "Stopped.");
  }

  #build(element) {
    this.stop = button("Stop", () => this.#halt(), { hidden: true });
    this.says = el("p", { class: "says", role: "status" });
    this.list = el("ol", {
      class: "steps", role: "listbox", tabIndex: 0, hidden: true, "aria-label": "Steps",
      onkeydown: (event) => this.#walk(event),
    });
    this.after = el("div", { class: "row", hidden: true },
      button("Previous", () => this.#choose(this.shown - 1)),
      button("Write the digits", () => this.#write(), { title: "the digits of all steps up to this one" }),
    );
    this.close = button("Close", () => this.#clear(), { hidden: true });
    this.notes = el("p", { class: "note" });
    this.rating = el("p", { class: "rating" });
    element.append(
      el("div", { class: "row" },
        button("Next step", () => this.#next()),
        button("All steps and rating", () => this.#load(true)),
        button("Symmetry", () => this.#symmetry()),
        this.stop,
      ),
      this.#whyForm(),
      this.says, this.notes, el("div", { class: "row" }, this.after, this.close), this.rating,
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
    Object.assign(this, { steps: [], shown: -1, isWhole: false });
    this.list.replaceChildren();
    this.list.hidden = this.after.hidden = this.close.hidden = true;
    for (const each of [this.says, this.notes, this.rating]) each.textContent = "";
    this.overlay.hide("study");
  }

  /** One step more: the next of those known, or the first from the server, or all of them. */
  #next() {
    if (this.shown + 1 < this.steps.length) this.#choose(this.shown + 1);
    else if (!this.steps.length) this.#load(false);
    else if (!this.isWhole) this.#load(true, this.shown + 1);
    else tell(this.says, "That was the last step.");
  }

  #load(all, wanted = 0) {
    const puzzle = this.steps.length ? this.from : this.store.puzzle;
    this.#clear();
    this.from = puzzle;
    tell(this.says, "Looking for steps …");
    this.task.run(async (signal) => {
      for await (const part of this.api.stream("steps", { puzzle, all }, { signal })) {
        if (part.step) this.#add(part.step, wanted);
        if (part.late) this.rating.textContent = "Time ran out: there may be more steps.";
        if (part.done) this.#end(part, all);
      }
    }, (error) => tell(this.says, error));
  }

  #add(step, wanted) {
    this.steps.push(step);
    const number = this.steps.length - 1;
    this.list.append(el("li", {
      id: `step-${number}`, role: "option", "aria-selected": "false",
      onclick: () => this.#choose(number),
    }, step.text));
    this.list.hidden = false;
    if (number === wanted) this.#choose(number);
  }

  #end({ rating, solved }, all) {
    this.isWhole = all;
    const count = this.steps.length;
    const nothing = "There is no next step: every candidate left is in some solution.";
    if (!count) tell(this.says, solved ? "The grid is full." : nothing);
    const steps = all && count ? [`${count} ${count === 1 ? "step" : "steps"}`] : [];
    const rated = rating ? [`rating ${rating.text}, scale of ${rating.scale}`] : [];
    const said = [this.rating.textContent, [...steps, ...rated].join("; ")];
    this.rating.textContent = said.filter(Boolean).join(" ");
  }

  #choose(number) {
    if (!(number in this.steps)) return;
    this.list.children[this.shown]?.setAttribute("aria-selected", "false");
    this.shown = number;
    const item = this.list.children[number];
    item.setAttribute("aria-selected", "true");
    this.#scrollTo(item);
    this.list.setAttribute("aria-activedescendant", item.id);
    this.after.hidden = this.close.hidden = false;
    const step = this.steps[number];
    tell(this.says, `${number + 1}. ${step.text}`);
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
    const { house, reasons: reason, links, placed: conclusion, marks } = step;
    const eliminated = conclusion.length ? [] : step.eliminated; // the rest of a placed digit is plain
    const answer = marks.map(() => 0);
    for (const [cell, digit] of before.flatMap((each) => each.placed)) answer[cell] = digit;
    const highlights = { house, reason, eliminated, conclusion, links };
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

/** What the answer to "why not" lights up: the units that it names, the givens, the digit. */
function reasonsOf({ units, cells, possible }, cell, digit) {
  const house = units.flatMap((unit) => unit.cells);
  const asked = { [possible ? "conclusion" : "eliminated"]: [[cell, digit]] };
  return { house, reason: cells.filter((each) => each !== cell), ...asked };
}
