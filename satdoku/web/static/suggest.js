/* Suggestions for the puzzle: what it does not need, what makes it unique, easier or harder.
 *
 * Invariant: the suggestions listed are for the puzzle on the board; another puzzle clears them. One
 * that is taken is one step to undo.
 */

import { button, el, field } from "./dom.js";
import { kindsWithValues } from "./kinds.js";
import { found } from "./names.js";
import { overlayOf } from "./overlay.js";
import { isSame, stopOf, tell } from "./parts.js";
import { Task } from "./task.js";

const WANTS = [
  ["needs", "What is needed", "for each given and clue how many solutions there are without it"],
  ["unique", "Make it unique", "the fewest givens, or clues of the kinds named, that leave one solution"],
  ["easier", "Easier", "one given more, with the rating then"],
  ["harder", "Harder", "what can go, with the rating then"],
];
const NOTHING = {
  needs: "There is nothing to take away.",
  unique: "Nothing of what may be added leaves one solution.",
  easier: "No given makes it easier.",
  harder: "Nothing harder was found.",
};

export function mount(element, store, board, api) {
  return new Suggest(element, store, board, api);
}

class Suggest {
  constructor(element, store, board, api) {
    Object.assign(this, { store, api, overlay: overlayOf(board) });
    this.task = new Task((running) => (this.stop.hidden = !running));
    this.#build(element);
    store.addEventListener("puzzle", ({ detail }) => {
      if (!isSame(detail.before, store.puzzle)) this.#clear();
    });
  }

  #build(element) {
    this.kinds = el("input", { value: "givens", autocomplete: "off", spellcheck: false,
      title: "givens, and kinds of clues, with commas between them: givens, thermo, cage" });
    this.says = el("p", { class: "note", role: "status" });
    this.stop = stopOf(this.task, this.says);
    this.list = el("ul", { class: "suggestions", "aria-label": "Suggestions" });
    element.append(
      el("div", { class: "row" },
        WANTS.map(([want, text, title]) => button(text, () => this.#ask(want), { title })), this.stop),
      field("To make it unique, add", this.kinds),
      el("p", { class: "note" }, "Point at a suggestion to see it on the board. Press it to take it; Undo takes it back."),
      this.says, this.list,
    );
  }

  #clear() {
    this.task.stop();
    this.list.replaceChildren();
    this.overlay.hide("suggest");
    tell(this.says, "");
  }

  #ask(want) {
    this.#clear();
    tell(this.says, "Looking …");
    const names = this.kinds.value.split(",").map((name) => name.trim()).filter(Boolean);
    const { puzzle } = this.store;
    this.task.run(async (signal) => {
      const kinds = await this.#kindsCalled(names);
      let late = "";
      for await (const part of this.api.stream("suggest", { puzzle, want, kinds }, { signal })) {
        if (part.suggestion) this.#add(part.suggestion);
        if (part.late) late = " There was no time for more.";
      }
      const number = this.list.children.length;
      tell(this.says, number ? `${number} ${number === 1 ? "suggestion" : "suggestions"}.${late}` : late || NOTHING[want]);
    }, (error) => tell(this.says, error));
  }

  /** The kinds that people call so; a name that nothing has is left to the server to refuse. */
  async #kindsCalled(names) {
    const catalogue = await this.api.catalogue(), entries = kindsWithValues(catalogue);
    return names.map((name) => {
      if (/^givens?$/i.test(name)) return "givens";
      const [best] = found(entries, name, catalogue.fillers);
      return best?.name.includes("=") ? best.kind : (best?.name ?? name);
    });
  }

  /** First what is not needed; then the later ones first: they add fewer, or rate higher. */
  #add(suggestion) {
    const { words, gone, added, rating } = suggestion;
    const isSpare = words.endsWith("is not needed");
    const item = el("li", {}, button(words, () => this.#take(suggestion), {
      class: isSpare ? "button quiet spare" : "button quiet",
      onfocus: () => this.#preview(suggestion), onpointerenter: () => this.#preview(suggestion),
      onblur: () => this.overlay.hide("suggest"), onpointerleave: () => this.overlay.hide("suggest"),
    }));
    const isBetter = isSpare || added.length > 0 || rating !== null;
    const firstOther = this.list.querySelector("li:not(:has(.spare))");
    if (isBetter && gone.length + added.length) this.list.insertBefore(item, isSpare ? firstOther : this.list.firstChild);
    else this.list.append(item);
  }

  /** What would go is red, what would come is lit, with its digits. */
  #preview({ cells, digits, added }) {
    const answer = this.store.board.names.map(() => 0);
    for (const [cell, digit] of digits) answer[cell] = digit;
    const highlights = added.length ? { reason: cells } : { conflict: cells };
    this.overlay.show("suggest", { highlights, answer });
  }

  #take({ puzzle: { puzzle, clues }, words }) {
    this.store.commit({ ...this.store.puzzle, puzzle, clues }, `suggestion: ${words}`);
    tell(this.says, `Taken: ${words}.`);
  }
}
