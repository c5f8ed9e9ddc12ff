/* The answers that come while one types: how many solutions, true candidates, what clashes.
 *
 * Invariant: an answer belongs to the puzzle on the board; a change stops the question before. What
 * nobody looks at is not asked for. The engine in this tab says first what it can; what the server
 * says takes its place, and if that is anything else, the console has it as an error.
 */

import { ClashView } from "./clash.js";
import { button, el } from "./dom.js";
import { engine } from "./engine.js";
import { overlayOf } from "./overlay.js";
import { errorText, isSame, switchOf } from "./parts.js";
import { Task } from "./task.js";

const PAUSE = 120; // milliseconds without a key before a question, where the last one has no answer yet
const STALE = 400; // milliseconds that small digits of the puzzle before may stay
const LIMIT = 1000; // solutions counted
const MOST_UNITS = 12; // of a clash, beyond which they would light all of the board
const CANDIDATE_LIMIT = 100; // solutions counted of each candidate

const VERDICTS = {
  unknown: ["Not decided", "there was not enough time"],
  unique: ["Unique", "exactly one solution"],
  multiple: ["Several solutions", ""],
  none: ["No solution", ""],
  invalid: ["No solution", "givens clash"],
  refused: ["Not a puzzle", ""],
};

export function mount(element, store, board, api) {
  return new Live(element, store, board, api);
}

class Live {
  constructor(element, store, board, api) {
    Object.assign(this, { store, board, api, overlay: overlayOf(board), answer: {}, timers: [] });
    this.kept = null; // the candidates of the puzzle before, until there are others
    this.told = { tab: {}, server: {} }; // of the puzzle on the board
    this.shows = { candidates: false, counts: false, solution: false };
    this.isOn = true;
    this.task = new Task((running) => this.#showWork(running));
    this.#build(element);
    store.addEventListener("puzzle", ({ detail }) => {
      if (!isSame(detail.before, store.puzzle)) this.#changed();
    });
    store.addEventListener("selection", () => this.#showCell());
    store.addEventListener("plane", () => this.#showCell());
    this.#askTab();
    this.ask();
  }

  #build(element) {
    this.badge = el("strong", { class: "badge" }, "…");
    this.number = el("span", { class: "number" });
    this.verdict = el("p", { class: "verdict", role: "status" }, this.badge, " ", this.number);
    this.work = el("span", { class: "work" });
    this.toggle = button("Stop", () => (this.task.running ? this.task.stop() : this.ask()), {
      class: "button quiet",
    });
    this.clash = new ClashView(this.store);
    this.warnings = el("ul", { class: "warnings", hidden: true });
    this.cell = el("p", { class: "cell-says" });
    this.free = el("p", { class: "note free" });
    const shown = (name) => (on) => {
      this.shows[name] = on;
      if (name === "counts" && on && !this.answer.counts && !this.isDue) this.ask(); // again, for more
      this.#draw();
      this.#showCell();
    };
    element.append(
      this.verdict,
      this.clash.element,
      this.cell,
      this.free,
      this.warnings,
      el(
        "div",
        { class: "switches" },
        switchOf("True candidates", "the digits that each cell has in some solution", false,
          shown("candidates")),
        switchOf("Solutions of each", "how many solutions each candidate is in", false,
          shown("counts")),
        switchOf("The solution", "shown in the empty cells, if there is only one", false,
          shown("solution")),
        switchOf("While I type", "an answer after each change", true, (on) => {
          this.isOn = on;
          on ? this.ask() : this.task.stop();
        }),
      ),
      el("p", { class: "progress" }, this.work, this.toggle),
    );
  }

  #changed() {
    const { candidates, clash } = this.told.server;
    const isQuick = !this.isDue && (!this.task.running || candidates || clash); // the last one has its answer
    this.task.stop();
    this.timers.forEach(clearTimeout);
    this.clash.hide();
    this.verdict.classList.add("stale");
    const { names, digits } = this.store.board;
    const board = String([names, digits]);
    if (board !== this.known) [this.answer, this.kept] = [{}, null]; // nothing of another board stays
    this.known = board;
    this.kept = this.answer.candidates ?? this.kept;
    this.answer = { ...this.answer, clash: undefined, done: false };
    this.told = { tab: {}, server: {} };
    this.isDue = this.isOn;
    if (this.isOn) this.#askTab();
    this.#draw();
    this.#showWork(false);
    const drop = () => {
      this.kept = null;
      if (!this.told.tab.status && !this.told.server.status) this.answer = {};
      this.#draw();
    };
    this.timers = [setTimeout(drop, STALE)];
    if (this.isOn && isQuick) this.ask();
    else if (this.isOn) this.timers.push(setTimeout(() => this.ask(), PAUSE));
    else this.#show({});
  }

  /** Asks the engine in this tab about the puzzle on the board. */
  async #askTab() {
    const { told, store } = this;
    const isOver = () => this.told !== told || !this.isOn || Boolean(told.server.status);
    for await (const part of engine.live(store, isOver)) {
      if (this.told === told && this.isOn) this.#hear("tab", part);
    }
  }

  /** Asks the server about the puzzle on the board. */
  ask() {
    this.told.server = {};
    this.isDue = false;
    this.task.run(async (signal) => {
      const { counts } = this.shows;
      const body = { puzzle: this.store.puzzle, limit: LIMIT, candidate_limit: CANDIDATE_LIMIT, counts };
      for await (const part of this.api.stream("live", body, { signal })) {
        this.#hear("server", part);
      }
    }, (error) => this.#hear("server", { error: errorText(error) }));
  }

  /** Shows what the tab or the server has found, with what was known. */
  #hear(who, part) {
    const { tab, server } = this.told;
    Object.assign(this.told[who], part);
    for (const name of Object.keys(part)) {
      if (isOdds(tab[name], server[name])) {
        console.error(`${name}: the tab found ${JSON.stringify(tab[name])}, the server ${JSON.stringify(server[name])}`);
      }
    }
    const said = server.status === "unknown" ? null : server.status; // it had no time
    const status = said ?? tab.status ?? (server.error ? "refused" : server.status);
    this.#show({ ...tab, ...server, status });
  }

  #show(answer) {
    this.answer = answer;
    if (answer.candidates || isNone(answer)) {
      clearTimeout(this.timers[0]);
      this.kept = null;
    }
    this.verdict.classList.toggle("stale", !answer.status);
    if (answer.status) this.verdict.dataset.status = answer.status;
    const [badge, number] = VERDICTS[answer.status] ?? ["…", ""];
    this.badge.textContent = badge;
    this.number.textContent = numberText(answer) || number;
    this.#showWork(this.task.running);
    this.clash.show(answer.clash, answer.error);
    this.warnings.replaceChildren(...(answer.warnings ?? []).map((text) => el("li", {}, text)));
    this.warnings.hidden = !answer.warnings?.length;
    this.#draw();
    this.#showCell();
  }

  #showWork(running) {
    this.toggle.textContent = running ? "Stop" : "Ask again";
    const said = running ? doing(this.answer) : doneText(this.answer);
    this.work.textContent = this.isDue ? "…" : said;
  }

  #draw() {
    const { candidates, status, clash } = this.answer;
    const only = candidates?.map((digits) => (digits.length === 1 ? digits[0] : 0));
    const isMarked = this.shows.candidates || this.shows.counts;
    const isCounted = this.shows.counts && this.answer.counts;
    const shown = {
      highlights: clash ? highlightsOf(clash) : null,
      candidates: isMarked ? (candidates ?? this.kept) : null,
      counts: isCounted ? countTexts(this.answer) : null,
      answer: this.shows.solution && status === "unique" ? (only ?? null) : null,
    };
    if (isSame(shown, this.drawn)) return; // the board draws all of its cells anew
    this.drawn = shown;
    this.overlay.update("live", shown);
  }

  /** Says what the cell of the cursor may hold. */
  #showCell() {
    const { cursor } = this.store;
    const { status, candidates, counts } = this.answer;
    const [cell] = this.store.meant([cursor]);
    const digits = status === "none" ? null : candidates?.[cell];
    const each = this.shows.counts && counts ? countTexts(this.answer)[cell] : null;
    this.cell.textContent = digits ? cellText(this.store.board, cell, digits, each) : "";
    this.free.textContent = digits ? freeText(this.store.board, candidates) : "";
  }
}

function isNone({ status }) {
  return status === "none" || status === "invalid";
}

/** Whether the tab and the server contradict each other in what both say. Only the server says that
 * givens clash. */
function isOdds(mine, other) {
  if (mine === undefined || other === undefined || other === "unknown") return false;
  return JSON.stringify(mine) !== JSON.stringify(other === "invalid" ? "none" : other);
}

/** The cells of a clash: givens and clues, and where they meet. */
function highlightsOf({ cells, around, units }) {
  const conflict = [...new Set([...cells, ...around])];
  const house = units.length > MOST_UNITS ? [] : units.flatMap((unit) => unit.cells);
  return { conflict, house };
}

/** The numbers of solutions of each candidate; `+` stands behind one that is only a lower bound. */
function countTexts({ counts, more_at: most, at_least: bounds = [] }) {
  const isBound = new Set(bounds.map(([cell, digit]) => `${cell} ${digit}`));
  const text = (cell, digit, number) =>
    number >= most || isBound.has(`${cell} ${digit}`) ? `${number}+` : `${number}`;
  return counts.map((each, cell) =>
    Object.fromEntries(Object.entries(each).map(([digit, n]) => [digit, text(cell, digit, n)])));
}

function numberText({ status, solutions, more }) {
  if (status !== "multiple" || solutions === undefined) return "";
  return `${more ? "at least " : ""}${solutions.toLocaleString("en")}`;
}

function cellText(board, cell, digits, counts) {
  const name = board.name(cell);
  if (!digits.length) return `${name}: no digit fits`;
  const some = digits.length === 1 ? "in every solution" : "in solutions";
  const text = (digit) => board.text(digit, cell);
  if (!counts) return `${name}: ${digits.map(text).join(" ")} ${some}`;
  return `${name}: ${digits.map((digit) => `${text(digit)} in ${counts[digit] ?? 0}`).join(", ")} solutions`;
}

/** What the variables may hold that stand free. */
function freeText(board, candidates) {
  const cells = board.layers.flatMap(({ first, free }) =>
    Array.from({ length: free }, (_, place) => first + place),
  );
  const values = (cell) => candidates[cell].map((digit) => board.text(digit, cell)).join(" ");
  return cells.map((cell) => `${board.name(cell)}: ${values(cell)}`).join("; ");
}

/** What is being computed. */
function doing({ status, candidates, solutions }) {
  if (!status) return "deciding whether there is one solution";
  if (isNone({ status })) return "looking for what clashes";
  if (!candidates) return "finding the true candidates";
  if (solutions === undefined && status === "multiple") return "counting solutions";
  return "counting the solutions of each candidate";
}

function doneText({ done, ms, error }) {
  if (done) return `answered in ${ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`}`;
  return error ? "" : "stopped";
}
