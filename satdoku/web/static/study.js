/* Study of a puzzle: its steps one by one, its rating, why a digit does not fit, its symmetry.
 *
 * Invariant: the steps listed lead on from the puzzle on the board; another puzzle clears them.
 */

import { button, el, field } from "./dom.js";
import { overlayOf } from "./overlay.js";
import { choiceOf, errorText, isSame, optionsOf } from "./parts.js";
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
    this.#nameCell();
  }

  #halt() {
    this.task.stop();
    this.says.textContent = "Stopped.";
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
      button("Write its digits into the grid", () => this.#write()),
      button("Close", () => this.#clear()),
    );
    this.rating = el("p", { class: "rating" });
    element.append(
      el("div", { class: "row" },
        button("Next step", () => this.#next()),
        button("All steps and rating", () => this.#load(true)),
        button("Symmetry", () => this.#symmetry()),
        this.stop,
      ),
      this.#whyForm(),
      this.says, this.after, this.rating, this.list,
    );
  }

  #whyForm() {
    this.digit = choiceOf([]);
    this.where = el("span", { class: "where" });
    return el("div", { class: "row why" },
      field("Why not", this.digit), " in ", this.where, " ", button("Why?", () => this.#why()));
  }

  #nameCell() {
    this.where.textContent = `${this.board.cellName(this.store.cursor)}?`;
    const { size } = this.store.board;
    const digits = Array.from({ length: size }, (_, index) => [index + 1, `${index + 1}`]);
    if (this.digit.length !== size) this.digit.replaceChildren(...optionsOf(digits));
  }

  #changed() {
    this.#nameCell();
    this.#clear();
  }

  #clear() {
    this.task.stop();
    Object.assign(this, { steps: [], shown: -1, isWhole: false });
    this.list.replaceChildren();
    this.list.hidden = this.after.hidden = true;
    this.says.textContent = this.rating.textContent = "";
    this.overlay.hide("study");
  }

  /** One step more: the next of those known, or the first from the server, or all of them. */
  #next() {
    if (this.shown + 1 < this.steps.length) this.#choose(this.shown + 1);
    else if (!this.steps.length) this.#load(false);
    else if (!this.isWhole) this.#load(true, this.shown + 1);
    else this.says.textContent = "That was the last step.";
  }

  #load(all, wanted = 0) {
    const puzzle = this.steps.length ? this.from : this.store.puzzle;
    this.#clear();
    this.from = puzzle;
    this.says.textContent = "Looking for steps …";
    this.task.run(async (signal) => {
      for await (const part of this.api.stream("steps", { puzzle, all }, { signal })) {
        if (part.step) this.#add(part.step, wanted);
        else if (part.done) this.#end(part, all);
      }
    }, (error) => (this.says.textContent = errorText(error)));
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

  #end(part, all) {
    this.isWhole = all;
    if (!this.steps.length)
      this.says.textContent = part.solved ? "The grid is full: nothing is left to do." : "No step was found: every digit left is in some solution.";
    if (all) this.rating.textContent = ratingText(part, this.steps.length);
  }

  #choose(number) {
    if (!(number in this.steps)) return;
    this.list.children[this.shown]?.setAttribute("aria-selected", "false");
    this.shown = number;
    const item = this.list.children[number];
    item.setAttribute("aria-selected", "true");
    item.scrollIntoView({ block: "nearest" });
    this.list.setAttribute("aria-activedescendant", item.id);
    this.after.hidden = false;
    const step = this.steps[number];
    this.says.textContent = `${number + 1}. ${step.text}`;
    this.overlay.show("study", { highlights: step, candidates: step.marks });
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
    const cell = this.store.cursor;
    const digit = Number(this.digit.value);
    this.#clear();
    this.says.textContent = "Looking for the reasons …";
    this.task.run(async (signal) => {
      const body = { puzzle: this.store.puzzle, cell, digit };
      const answer = await this.api.call("why", body, { signal });
      this.says.textContent = answer.text;
      this.after.hidden = false;
      this.overlay.show("study", { highlights: { reason: answer.cells, eliminated: [[cell, digit]] } });
    }, (error) => (this.says.textContent = errorText(error)));
  }

  #symmetry() {
    this.#clear();
    this.task.run(async (signal) => {
      const answer = await this.api.call("symmetry", { puzzle: this.store.puzzle }, { signal });
      this.says.textContent = answer.text;
    }, (error) => (this.says.textContent = errorText(error)));
  }
}

function ratingText({ rating, solved }, count) {
  const steps = `${count} ${count === 1 ? "step" : "steps"}`;
  const ends = solved ? "" : "; the rest has several solutions";
  if (!rating) return `${steps}${ends}.`;
  const { er, ep, ed } = rating;
  return `Rating: ER ${er} (hardest step), EP ${ep} (up to the first digit), ED ${ed} (first step); ${steps}${ends}.`;
}
