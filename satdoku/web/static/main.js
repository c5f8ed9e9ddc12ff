/* The page, put together. */

import * as api from "./api.js";
import { mount as mountAbout } from "./about.js";
import { Board, liveRegion } from "./board.js";
import { change } from "./changes.js";
import { mount as mountLooks } from "./looks.js";
import { mount as mountPlan } from "./plan.js";
import { engine } from "./engine.js";
import { Entry } from "./entry.js";
import { bindHistory } from "./history.js";
import { bindKeys, showHelp } from "./keys.js";
import { Modes } from "./modes.js";
import { BLANK, SORTS, without } from "./notes.js";
import { overlayOf } from "./overlay.js";
import { Progress } from "./progress.js";
import { mount as mountSolving } from "./solve.js";
import { mount as mountRules } from "./rules.js";
import { pictureOf, relevant } from "./picture.js";
import { read } from "./reading.js";
import { emptyPuzzle, openStore } from "./state.js";
import { bindTabs } from "./tabs.js";
import { bindTheme } from "./theme.js";
import { mount as mountClues } from "./clues.js";
import { Tools } from "./tools.js";

const find = (id) => document.getElementById(id);
const PANELS = ["live", "study", "suggest", "make", "take", "paste"];

bindTheme(find("theme"));
const live = liveRegion();
document.body.append(live);
const store = await openStore(async ({ clues, ...bare }) => (await pictureOf(bare)).board);
const modes = new Modes(find("modes"));
const progress = new Progress();
progress.open(progressKey());
store.addEventListener("puzzle", ({ detail }) => {
  progress.open(progressKey(), detail.isOther ? null : carried);
});
const board = new Board(find("board"), live, store, progress, modes);
read(store, board);
const tools = new Tools(board);
const page = { store, board, api, change, tools, progress, modes };
const entry = new Entry(find("entry"), page);
const solver = mountSolving(find("panel-solve"), { ...page, possible });
const follow = () => {
  overlayOf(board).silence("live", modes.isSolve);
  if (!modes.isSet) tools.take(null);
};
modes.addEventListener("mode", follow);
follow();

/** Asks the engine in this tab, and the server what that cannot say. */
async function possible(asked) {
  return (await engine.possible(store, asked.tried)) ?? api.call("possible", asked);
}

/* What undo speaks of: the puzzle in the mode Set, else what was entered. */
const history = bindHistory(find("undo"), find("redo"), () => (modes.isSet ? store : progress).history);
mountHeader();
const clues = mountClues(find("panel-clues"), store, board, api, tools);
entry.dropClue = (cells) => clues.dropOn(cells);
const findKind = () => clues.findKind();
mountRules(find("panel-rules"), store, api);
mountPlan(find("panel-board"), store, board, api, tools);
mountAbout(find("panel-about"), store, board);
mountLooks(find("panel-about"), store, board, tools);
bindKeys({ store, board, entry, modes, history, tool: () => tools.current, findKind });
for (const name of PANELS) {
  const { mount } = await import(`./${name}.js`);
  mount(find(`panel-${name}`), store, board, api, solver);
}
const drawers = bindTabs(document.querySelectorAll("[role=tablist]"), find("to-digits"));
modes.addEventListener("mode", () => {
  drawers.close();
  if (modes.name === "study") document.querySelector("[aria-controls=panel-study]").click();
});
board.focus();
document.body.dataset.ready = "true";

/** What the progress belongs to: all that a puzzle states. */
function progressKey() {
  const { puzzle } = store;
  return JSON.stringify([relevant(puzzle), puzzle.puzzle, puzzle.candidates]);
}

/** Notes that stay when the puzzle is changed: those of cells without a given, on the same board. */
function carried(notes) {
  const most = store.board.names.length;
  const cells = new Set(SORTS.flatMap((sort) => Object.keys(notes[sort]).map(Number)));
  if ([...cells].some((cell) => cell >= most)) return BLANK;
  const given = [...cells].filter((cell) => store.digits[cell]);
  return without(notes, ["digits", "corner", "centre"], given);
}

function mountHeader() {
  find("help").addEventListener("click", () => showHelp(true));
  find("new").addEventListener("click", () => {
    store.commit(emptyPuzzle(store.puzzle, store.board), "new puzzle", true);
    modes.choose("set");
    board.focus();
  });
  store.addEventListener("puzzle", history.show);
  progress.addEventListener("notes", history.show);
  modes.addEventListener("mode", history.show);
  const problem = find("problem");
  board.addEventListener("problem", ({ detail }) => {
    problem.textContent = detail.message;
    problem.hidden = false;
  });
  board.addEventListener("picture", () => (problem.hidden = true));
}
