/* The clues: choose a kind, draw it on the board or type it; all clues in a list.
 *
 * Invariant: a clue is a text. What is drawn becomes the text in the field, and the text is in the
 * puzzle as soon as it is whole; one that the server refuses comes back into the field (reading.js).
 */

import { ClueList } from "./cluelist.js";
import { button, el, field } from "./dom.js";
import { Draft } from "./draft.js";
import { KindCard } from "./kindcard.js";
import { KindChooser } from "./kindchooser.js";
import { cellsNamed, clueText, diagonalEdges, diagonalThrough, lineEdges, shapeOf } from "./kinds.js";
import { switchRule } from "./rules.js";
import { Unread } from "./unread.js";

/** Mounts the panel; returns it. */
export function mount(element, store, board, api, tools) {
  const panel = new Clues(element, store, board, tools);
  api.catalogue().then(
    (catalogue) => panel.fill(catalogue),
    (error) => panel.say(error.message, true),
  );
  return panel;
}

class Clues {
  #kind = null; // as chosen: {...kind of the catalogue, name, title, text, fixed}
  #draft = null;
  #line = ""; // the row or column that was pressed
  #editing = ""; // the text of the clue that is being changed
  #made = {}; // the last clue: its text, and what to go back to if it is refused
  #refused = ""; // the text that came back, until it is changed

  constructor(element, store, board, tools) {
    Object.assign(this, { store, board, tools });
    this.chooser = new KindChooser({
      kind: (kind) => this.choose(kind),
      rule: (name) => this.#switch(name),
      board: () => document.querySelector("[aria-controls=panel-board]").click(),
    });
    this.card = new KindCard(store, {
      finish: () => this.finish(),
      whole: () => this.#addWhole(),
      stop: () => this.choose(null),
      changed: () => this.#write(),
      way: (way) => this.#go(way),
    });
    this.text = el("input", { class: "code", autocomplete: "off", spellcheck: false });
    this.text.placeholder = "cage=15:r1c1,r1c2";
    this.problem = el("p", { class: "error", role: "alert", hidden: true });
    this.list = new ClueList(store, board, this);
    const add = button("Add", () => this.#addTyped());
    const typed = el("div", { class: "row grow" }, field("Clue as text", this.text), add);
    const { element: chooser } = this.chooser;
    element.append(chooser, this.card.element, typed, this.problem, this.list.element);
    onEnter(this.card.input, board, () => this.#entered());
    onEnter(this.text, board, () => this.#addTyped());
    store.addEventListener("puzzle", () => {
      this.chooser.showRules(store.board.rules);
      if (this.#kind) this.#rim(); // the board may have another size
    });
    store.addEventListener("refused", ({ detail }) => this.#takeBack(detail));
    this.unread = new Unread(store, board, () => {
      if ([null, this].includes(tools.current)) this.#paint();
    });
  }

  fill(catalogue) {
    this.chooser.fill(catalogue);
    this.list.fill(catalogue);
    this.chooser.showRules(this.store.board.rules);
  }

  /** Turns a rule on or off that was found beside the kinds. */
  #switch(name) {
    this.say("");
    switchRule(this.store, name).catch((error) => this.say(error.message, true));
  }

  findKind() {
    document.querySelector("[aria-controls=panel-clues]").click();
    this.chooser.focus();
  }

  /** Takes up a kind, null to put it away; one without cells and value is a clue already. */
  choose(kind) {
    const shape = kind && shapeOf(kind);
    this.#editing = "";
    if (shape === "global" && (kind.fixed || !kind.value)) {
      this.add(this.#whole(kind, kind.name));
      return;
    }
    this.#kind = kind;
    this.#draft = kind && !["global", "clues"].includes(shape) ? this.#begin(kind) : null;
    this.tools.take(kind && this, this.#draft);
    this.#show();
    if (!kind || shape !== "global") this.board.focus();
  }

  /** Takes away the newest of the clues that name one of the cells. */
  dropOn(cells) {
    const { board, puzzle } = this.store;
    const isOn = (text) => cellsNamed(text, board).some((cell) => cells.includes(cell));
    const at = puzzle.clues?.findLastIndex(isOn) ?? -1;
    if (at >= 0) this.remove(at);
  }

  /** Shows what is drawn, and what was drawn and is not in the picture yet. */
  #paint() {
    this.board.setDraft(...this.unread.drawings, this.#draft?.shown);
  }

  /** The board is given to another tool, or to none. */
  release() {
    this.#kind = this.#draft = null;
    this.#editing = "";
    this.#show();
  }

  #show() {
    this.chooser.show(this.#kind);
    this.card.show(this.#kind);
    this.say("");
    this.#line = this.text.value = "";
    this.#paint();
    this.#rim();
    this.list.setTicks(this.#kind && shapeOf(this.#kind) === "clues");
    if (this.#draft) this.board.scrollTo();
  }

  #begin(kind) {
    return new Draft(kind, this.store, {
      onchange: () => this.#drawn(),
      onready: () => this.#ready(),
      onleft: () => {
        if (!this.card.needs && this.text.value !== this.#refused) this.finish();
        this.card.next();
      },
    });
  }

  #rim() {
    const shape = this.#kind && shapeOf(this.#kind);
    const { board } = this.store;
    if (shape === "edge") this.board.setRim(lineEdges(board), ({ label }) => this.#go(label));
    else if (shape === "diagonal") {
      this.board.setRim(diagonalEdges(board), ({ cells }) => this.#draft.finish(cells));
    } else this.board.setRim(null);
  }

  /** A row or column was pressed, or a way of a diagonal through the cursor. */
  #go(way) {
    const { cursor, board } = this.store;
    if (shapeOf(this.#kind) === "diagonal") {
      this.#draft.finish(diagonalThrough(cursor, way, board));
    } else {
      this.#line = way;
      this.#write();
      this.#ready();
    }
  }

  /** The text of a clue without cells; of one that may speak of all of a layer, with its name. */
  #whole(kind, head) {
    const { layer } = this.store;
    return kind.whole_layer && layer ? `${head}:${layer.name}` : head;
  }

  #addWhole() {
    this.add(this.#whole(this.#kind, this.#head));
  }

  get #head() {
    const { value } = this.card;
    return value ? `${this.#kind.name}=${value}` : this.#kind.name;
  }

  #drawn() {
    this.#line = "";
    this.#paint();
    this.#write();
  }

  /** Writes what is drawn into the field of the text. */
  #write() {
    const groups = this.#draft?.stated ?? [];
    if (this.#line) this.text.value = `${this.#head}:${this.#line}`;
    else this.text.value = groups.length ? clueText(this.#head, groups, this.store.board) : "";
  }

  /** The drawing came to an end: the clue is made, unless its value is still to be typed. */
  #ready() {
    if (!this.card.asks) {
      this.finish();
      return;
    }
    this.card.ask();
    this.say(`Type its value${this.card.needs ? "" : " if it has one"}, then Enter.`);
  }

  /** Adds what is drawn or chosen. */
  finish() {
    if (shapeOf(this.#kind) === "clues") this.#join();
    else {
      if (!this.#line && !this.#draft.groups.length) this.#draft.takeSelection();
      this.#write();
      if (this.text.value) this.add(this.text.value);
      else this.say("Choose cells first.", true);
    }
  }

  #join() {
    const places = this.list.ticked;
    if (!places.length) {
      this.say("Tick the clues to join.", true);
      return;
    }
    const isTicked = (_, place) => places.includes(place);
    const parts = this.store.puzzle.clues.filter(isTicked).map((part) => `(${part})`);
    const text = `${this.#kind.name}:${parts.join(",")}`;
    const rest = this.store.puzzle.clues.filter((clue, place) => !isTicked(clue, place));
    this.#put([...rest, text], text);
  }

  #addTyped() {
    const text = this.text.value.trim();
    if (text) this.add(text);
  }

  /** Adds a clue, or puts it in the place of the one that is being changed. */
  add(text) {
    const old = this.#editing;
    const { clues = [] } = this.store.puzzle;
    if (text !== old && clues.includes(text)) {
      this.say("This clue is there already.", true);
      return;
    }
    const isChange = clues.includes(old);
    this.#put(isChange ? clues.map((clue) => (clue === old ? text : clue)) : [...clues, text], text);
  }

  /** Deletes the clue at a place of the list. */
  remove(at) {
    const { clues } = this.store.puzzle;
    this.#commit(clues.filter((_, place) => place !== at), `no ${clues[at]}`);
  }

  /** Puts a clue into the field, to change it. */
  edit(at) {
    this.choose(null);
    this.#editing = this.text.value = this.store.puzzle.clues[at];
    this.text.focus();
    this.say("Change the text, then Enter.");
  }

  /** Other clues take the place of those of the puzzle. */
  #commit(clues, label) {
    this.say("");
    this.store.commit({ ...this.store.puzzle, clues }, label);
  }

  /** The clues with a new one among them, which is drawn or typed: the next one can be begun. */
  #put(clues, text) {
    this.#made = {
      text, kind: this.#kind, line: this.#line, editing: this.#editing,
      value: this.card.input.value, groups: this.#draft?.groups,
      field: [this.card.input, this.text].find((each) => each === document.activeElement),
    };
    this.unread.add(text, this.#draft?.shown);
    this.#commit(clues, text);
    this.#editing = this.#refused = "";
    this.#line = this.text.value = "";
    this.card.next();
    this.#draft?.clear();
    if (!this.#kind) return;
    this.board.scrollTo();
    this.board.focus();
  }

  /** A clue was refused: it is said why, and unless another one is begun, it can be mended. */
  #takeBack({ text, error }) {
    const { kind, line, editing, value, groups, field: from } = this.#made;
    const isBegun = this.text.value || this.#line || this.#draft?.groups.length;
    if (text === this.#made.text && kind === this.#kind && !isBegun) {
      this.card.input.value = value;
      this.#draft?.restore(groups);
      this.#line = line;
      this.#editing = editing;
      this.#refused = this.text.value = text;
      if (this.board.hasFocus) from?.focus();
    }
    this.say(error.message, true);
  }

  /** Tells what to do, or what is wrong. */
  say(text, isWrong = false) {
    this.problem.textContent = text;
    this.problem.hidden = !text;
    this.problem.classList.toggle("told", !isWrong);
  }

  /** Keys on the board while a kind is chosen. */
  key({ key }) {
    if (key === "Escape") this.#escape();
    else if (key === "Enter") this.#enter();
    else return false;
    return true;
  }

  #escape() {
    if (!this.#draft?.groups.length && !this.#line) {
      this.choose(null);
      return;
    }
    this.#draft?.clear();
    this.say("");
  }

  #enter() {
    const shape = shapeOf(this.#kind);
    if (shape === "global") this.#addWhole();
    else if (shape === "clues") this.#join();
    else if (shape === "edge") this.card.ways.firstChild.focus();
    else if (this.#draft.takeSelection() && this.#draft.takesMore) this.#askForMore();
    else this.#ready();
  }

  #askForMore() {
    const more = `Group ${this.#draft.groups.length} taken: choose the next, or Enter again.`;
    this.board.announce(more);
    this.say(more);
  }

  #entered() {
    if (shapeOf(this.#kind) === "global") this.#addWhole();
    else this.finish();
  }
}

/** Enter in a field acts, Escape goes back to the board. */
function onEnter(input, board, act) {
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") act();
    else if (event.key === "Escape") board.focus();
    else return;
    event.preventDefault();
  });
}
