/* The page: a puzzle with its rules, answers about it, and a collection under the same rules.
 *
 * Invariant: what is shown as an answer is the answer to the puzzle that is shown; an answer that comes
 * too late is thrown away. No request goes anywhere but to the files beside this one.
 */

import { Board } from "./board.js";
import { Clashes } from "./clash.js";
import { checkFile, MOST_LISTED } from "./collection.js";
import { LinkError, nameOf, readPuzzle } from "./links.js";
import { load, Pool, Status } from "./satdoku.js";
import { button, el } from "./shared/dom.js";
import { History } from "./shared/history.js";
import { Pad } from "./shared/pad.js";
import { bindTheme } from "./shared/theme.js";

const PATIENCE = 20; // seconds for an answer that nobody pressed for
const find = (id) => document.getElementById(id);
const many = (number) => number.toLocaleString("en");
const plain = (said) => ({ title: "", author: "", words: "", left: [], ...said });

/** One worker that is asked one question at a time: a new one ends the work on the last one. */
class Asker {
  #module;
  #pool = null;
  #isBusy = false;

  constructor(module) {
    this.#module = module;
  }

  async ask(...words) {
    if (this.#isBusy) this.stop();
    this.#isBusy = true;
    const opened = (this.#pool ??= Pool.open({ size: 1, kernel: this.#module }));
    try {
      return await (await opened).ask(...words);
    } finally {
      if (this.#pool === opened) this.#isBusy = false;
    }
  }

  stop() {
    this.#pool?.then((pool) => pool.stop());
    this.#pool = null;
    this.#isBusy = false;
  }
}

class Page {
  #state;
  #turn = 0;
  #shown = { solution: false, candidates: false };

  constructor(engine, names) {
    Object.assign(this, { engine, names });
    this.quick = new Asker(engine.module); // status, solution and candidates, asked anew at each key
    this.slow = new Asker(engine.module); // counts and new puzzles, asked by a button
    this.grid = new Board((cell, digit) => this.#put(cell, digit));
    this.pad = new Pad((digit) => this.#put(this.grid.current, digit), () => this.#put(this.grid.current, 0));
    const undo = button("Undo", () => this.history.undo(), { "aria-keyshortcuts": "Control+Z" });
    const redo = button("Redo", () => this.history.redo(), { "aria-keyshortcuts": "Control+Y" });
    const clear = button("New", () => this.#change({ ...this.#empty(this.#state.size), rules: this.#state.rules }));
    const make = button("Make a puzzle", () => this.#make());
    this.steps = { undo, redo };
    find("board").append(this.grid.element, this.pad.element, el("div", { class: "row" }, undo, redo, clear, make));
    this.history = new History(500, () => this.#state, (state) => this.#become(state));
    this.#mountRules();
    this.#bind();
    this.#become(this.#hashed() ?? this.#empty(9));
  }

  get plan() {
    return this.engine.plan(this.#state.rules.join(",") || "classic", this.#state.size);
  }

  /** What clashes under the rules. */
  get clashes() {
    return new Clashes(this.board, this.#state.rules);
  }

  /** The houses of the board, and what each rule adds. */
  get board() {
    return this.engine.boards[this.#state.size];
  }

  #empty(size) {
    return plain({ size, digits: Array(size * size).fill(0), rules: [] });
  }

  // State ---------------------------------------------------------------------------------------

  #change(state) {
    this.history.add(this.#state, "");
    this.#become(state);
  }

  #become(state) {
    this.#state = state;
    const { size, digits, rules } = state;
    const text = digits.map((digit) => digit || ".").join("");
    window.history.replaceState(null, "", `#rules=${rules.join(",")}&puzzle=${text}`);
    this.grid.shape(size, this.board.houses.slice(2 * size));
    this.pad.show(Array.from({ length: size }, (_, i) => `${i + 1}`), "digits");
    this.#showRules();
    this.#tell();
    find("counted").textContent = "";
    this.slow.stop();
    this.#answer();
  }

  /** The state in the address of the page, null if there is none. */
  #hashed() {
    const told = new URLSearchParams(location.hash.slice(1)), puzzle = told.get("puzzle");
    if (!puzzle) return null;
    try {
      const state = readPuzzle(puzzle, this.engine.boards, this.names.links);
      const rules = (told.get("rules") ?? "").split(",").filter(Boolean);
      this.engine.plan(rules.join(",") || "classic", state.size);
      return { ...state, rules: [...new Set([...state.rules, ...rules])] };
    } catch (error) {
      complain("unread", error);
      return null;
    }
  }

  #put(cell, digit) {
    const digits = [...this.#state.digits];
    if (digits[cell] === digit) return;
    digits[cell] = digit;
    this.#change({ ...this.#state, digits });
  }

  // Answers -------------------------------------------------------------------------------------

  /** Shows the board at once, then what the engine says of it. */
  async #answer() {
    const turn = ++this.#turn, { size, digits } = this.#state, plan = this.plan;
    const wrong = [...this.clashes.of(digits)];
    const shown = { digits, wrong: new Set(wrong.flat()), shaded: this.#shaded(), solution: null, candidates: null };
    this.grid.show(shown);
    if (wrong.length) return this.#status("bad", clashText(wrong[0], digits, size));
    const row = Uint8Array.from(digits), options = { timeout: PATIENCE };
    try {
      const status = await this.quick.ask("classify", row, plan, options);
      if (turn !== this.#turn) return;
      const [look, text] = STATUS[status];
      this.#status(look, status === Status.UNIQUE && !digits.includes(0) ? "Solved" : text);
      if (status !== Status.UNIQUE && status !== Status.MULTIPLE) return;
      for (const [name, method] of [["solution", "solve"], ["candidates", "candidates"]]) {
        if (!this.#shown[name]) continue;
        shown[name] = await this.quick.ask(method, row, plan, options);
        if (turn !== this.#turn) return;
      }
      this.grid.show(shown);
    } catch (error) {
      if (turn === this.#turn) this.#status("", error.message);
    }
  }

  #status(look, text) {
    find("status").className = `status ${look}`;
    find("status").textContent = text;
  }

  /** Cells of houses that rules add, unless these are all cells. */
  #shaded() {
    const { size, rules } = this.#state, { rules: known } = this.board;
    const union = (names) => new Set(names.flatMap((name) => known[name].houses.flat()));
    return union(rules.filter((name) => union([name]).size < size * size));
  }

  /** What a link says beside its grid and its rules. */
  #tell() {
    const { title, author, words, left } = this.#state;
    const said = [[title, author && `by ${author}`].filter(Boolean).join(" "), words].filter(Boolean).join("\n");
    find("said").textContent = said;
    find("said").hidden = !said;
    find("left").textContent = `Not read, so not heeded: ${left.join(", ")}.`;
    find("left").hidden = !left.length;
  }

  async #slowly(name, use) {
    const target = find("counted"), turn = this.#turn;
    target.textContent = `${name} …`;
    find("stop").hidden = false;
    try {
      const text = await use();
      if (turn === this.#turn) target.textContent = text;
    } catch (error) {
      if (turn === this.#turn) target.textContent = error.message.includes("stopped") ? "Stopped" : error.message;
    } finally {
      find("stop").hidden = true;
    }
  }

  #count() {
    const limit = Number(find("limit").value), row = Uint8Array.from(this.#state.digits);
    return this.#slowly("Counting", async () => {
      const count = await this.slow.ask("count", row, this.plan, { limit });
      return `${count === limit ? "at least " : ""}${many(count)} ${count === 1 ? "solution" : "solutions"}`;
    });
  }

  #make() {
    const { size, rules } = this.#state;
    return this.#slowly("Making a puzzle", async () => {
      const digits = await this.slow.ask("generate", 1, this.plan);
      this.#change(plain({ size, rules, digits: [...digits] }));
      return "";
    });
  }

  // Rules ---------------------------------------------------------------------------------------

  #mountRules() {
    const sizes = Object.keys(this.engine.boards);
    find("size").append(...sizes.map((size) => el("option", { value: size }, `${size} × ${size}`)));
    find("size").onchange = () => this.#change(this.#fitting(this.#empty(Number(find("size").value)), this.#state.rules));
    this.boxes = this.names.rules.map(({ name, title, text }) => {
      const box = el("input", { type: "checkbox", name, onchange: () => this.#toggle(name) });
      find("named").append(el("label", { class: "rule" }, box, el("span", {}, el("strong", {}, title), el("small", {}, text))));
      return box;
    });
  }

  #fitting(state, rules) {
    return { ...state, rules: rules.filter((name) => Object.hasOwn(this.engine.boards[state.size].rules, name)) };
  }

  #toggle(name) {
    const { rules } = this.#state;
    this.#change({ ...this.#state, rules: rules.includes(name) ? rules.filter((each) => each !== name) : [...rules, name] });
  }

  #showRules() {
    const { size, rules } = this.#state;
    find("size").value = size;
    for (const box of this.boxes) {
      box.checked = rules.includes(box.name);
      box.disabled = !Object.hasOwn(this.engine.boards[size].rules, box.name);
    }
    [this.steps.undo.disabled, this.steps.redo.disabled] = [!this.history.canUndo, !this.history.canRedo];
  }

  // What is pressed -----------------------------------------------------------------------------

  #bind() {
    for (const [id, name] of [["solve", "solution"], ["candidates", "candidates"]])
      find(id).onclick = () => {
        this.#shown[name] = !this.#shown[name];
        find(id).setAttribute("aria-pressed", this.#shown[name]);
        this.#answer();
      };
    find("count").onclick = () => this.#count();
    find("stop").onclick = () => this.slow.stop();
    find("read").onclick = () => this.#read(find("text").value);
    find("copy").onclick = () => this.#copy();
    for (const example of document.querySelectorAll("[data-open]"))
      example.onclick = () => (location.hash = example.dataset.open);
    addEventListener("hashchange", () => {
      const state = this.#hashed();
      if (state) this.#change(state);
    });
    addEventListener("keydown", (event) => this.#key(event));
    addEventListener("paste", (event) => {
      if (!isField(event.target)) this.#read(event.clipboardData.getData("text"));
    });
  }

  #key(event) {
    if (!(event.ctrlKey || event.metaKey) || isField(event.target)) return;
    const key = event.key.toLowerCase();
    if (key === "y" || (key === "z" && event.shiftKey)) this.history.redo();
    else if (key === "z") this.history.undo();
    else return;
    event.preventDefault();
  }

  #read(text) {
    find("unread").hidden = true;
    try {
      const state = readPuzzle(text, this.engine.boards, this.names.links);
      const isLink = !/^[^A-Za-z{]*$/.test(text);
      this.#change(isLink ? state : this.#fitting(state, this.#state.rules));
    } catch (error) {
      complain("unread", error);
    }
  }

  async #copy() {
    const text = this.#state.digits.map((digit) => digit || ".").join("");
    find("text").value = text;
    find("text").select();
    await navigator.clipboard?.writeText(text).catch(() => {});
  }
}

const STATUS = {
  [Status.NONE]: ["bad", "No solution"],
  [Status.UNIQUE]: ["good", "One solution"],
  [Status.MULTIPLE]: ["", "More than one solution"],
  [Status.INVALID]: ["bad", "Two digits clash"],
  [Status.UNKNOWN]: ["", `No answer within ${PATIENCE} seconds`],
};

const isField = (element) => /^(input|textarea|select)$/i.test(element.tagName) && element.type !== "checkbox";

/** What is wrong with two digits, in words. */
function clashText([one, other], digits, size) {
  return `${nameOf(one, size)}=${digits[one]} and ${nameOf(other, size)}=${digits[other]} clash`;
}

/** Shows what is wrong; an error that nobody foresaw is one of the page. */
function complain(id, error) {
  find(id).textContent = error.message;
  find(id).hidden = false;
  if (!(error instanceof LinkError) && error.name !== "SatdokuError") throw error;
}

const ORDER = ["unique", "multiple", "none", "invalid", "unknown"]; // of statuses, as in Python

// The collection ----------------------------------------------------------------------------------

class Collection {
  #page;
  #running = null;

  constructor(page) {
    this.#page = page;
    find("file").onchange = ({ target }) => this.#take(target.files);
    find("halt").onclick = () => this.#running?.abort();
    for (const name of ["dragenter", "dragover", "dragleave", "drop"]) addEventListener(name, (event) => this.#drag(event));
  }

  #drag(event) {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    find("drop").classList.toggle("over", event.type === "dragover");
    if (event.type === "drop") this.#take(event.dataTransfer.files);
  }

  async #take(files) {
    find("failed").hidden = true;
    if (!files.length) return;
    if (files.length > 1) return complain("failed", new LinkError(`${files.length} files: choose one`));
    this.#running?.abort();
    const running = (this.#running = new AbortController()), start = performance.now();
    this.#clear(files[0]);
    const pool = await Pool.open({ kernel: this.#page.engine.module });
    try {
      const found = await this.#checked(files[0], pool, running.signal, start);
      if (this.#running === running) this.#show(found, files[0], (performance.now() - start) / 1000, running.signal.aborted);
    } catch (error) {
      if (this.#running === running) complain("failed", unreadable(files[0], error));
    } finally {
      pool.stop();
      if (this.#running === running) find("progress").hidden = true;
    }
  }

  #checked(file, pool, signal, start) {
    const { plan, clashes } = this.#page, size = plan.digits;
    let next = 0;
    const tell = ({ puzzles, bytes }) => {
      const now = performance.now();
      if (now < next || signal.aborted) return;
      next = now + 100;
      find("bar").value = bytes;
      find("pace").textContent = `${many(puzzles)} puzzles, ${many(Math.round((1000 * puzzles) / (now - start)))} a second`;
    };
    const clash = (digits) => clashText(clashes.of(digits).next().value, digits, size);
    return checkFile(file, { pool, plan, clash, tell, signal });
  }

  #clear(file) {
    [find("bar").max, find("bar").value] = [file.size || 1, 0];
    find("pace").textContent = find("summary").textContent = "";
    find("progress").hidden = false;
    find("save").hidden = true;
    find("lists").replaceChildren();
  }

  #show({ puzzles, counts, lists, results }, file, seconds, isStopped) {
    const words = ORDER.filter((word) => counts[word]), told = words.map((word) => `${many(counts[word])} ${word}`);
    const speed = `${seconds.toFixed(1)} s`;
    find("summary").textContent = `${file.name}: ${many(puzzles)} puzzles${told.length ? `: ${told.join(", ")}` : ""}; ${isStopped ? "stopped after " : ""}${speed}`;
    find("lists").replaceChildren(...words.filter((word) => lists[word]).map((word) => listed(word, lists[word], counts[word])));
    URL.revokeObjectURL(find("save").href);
    find("save").href = URL.createObjectURL(results);
    find("save").download = `${file.name.replace(/(\.\w+)?(\.gz)?$/, "")}.results.txt`;
    find("save").hidden = !puzzles;
  }
}

/** What a browser says of a file that it cannot read or unpack, as an error of that file. */
function unreadable(file, error) {
  const isOfFile = error instanceof TypeError || error instanceof DOMException;
  return isOfFile ? new LinkError(`${file.name} cannot be read: ${error.message}`) : error;
}

/** The lines that have a status, folded. */
function listed(word, list, count) {
  const items = list.map(([line, reason]) => el("li", {}, `line ${line}${reason ? `: ${reason}` : ""}`));
  const more = count > MOST_LISTED ? [el("li", {}, `and ${many(count - MOST_LISTED)} more, all in the results`)] : [];
  return el("details", { open: word === "invalid" }, el("summary", {}, `${word}: ${many(count)}`), el("ol", {}, items, more));
}

// The start ---------------------------------------------------------------------------------------

bindTheme(find("theme"));
try {
  const names = await (await fetch(new URL("names.json", import.meta.url))).json();
  if (names.missing) throw new Error(`This copy of the site was built without the kernel, so nothing works here: ${names.missing}`);
  new Collection(new Page(await load(), names));
  find("problem").hidden = true;
  document.documentElement.dataset.ready = "true";
} catch (error) {
  find("problem").textContent = error.message;
  document.documentElement.dataset.ready = "failed";
}
