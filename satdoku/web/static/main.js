/* The page, put together. */

import * as api from "./api.js";
import { mount as mountAbout } from "./about.js";
import { Board, liveRegion } from "./board.js";
import { mountCheck } from "./check.js";
import { mount as mountLooks } from "./looks.js";
import { mount as mountPlan } from "./plan.js";
import { Entry } from "./entry.js";
import { bindKeys, showHelp } from "./keys.js";
import { mount as mountRules } from "./rules.js";
import { pictureOf } from "./picture.js";
import { emptyPuzzle, openStore } from "./state.js";
import { bindTabs } from "./tabs.js";
import { bindTheme } from "./theme.js";
import { mount as mountClues } from "./clues.js";
import { Tools } from "./tools.js";

const find = (id) => document.getElementById(id);
const PANELS = ["live", "study", "make", "take", "paste"];

bindTheme(find("theme"));
const live = liveRegion();
document.body.append(live);
const store = await openStore(async (puzzle) => (await pictureOf(puzzle)).board);
const board = new Board(find("board"), live, store);
const tools = new Tools(board);
const entry = new Entry(find("entry"), store, board, api, tools);
mountCheck(find("entry"), store, api);

mountHeader();
const findKind = mountClues(find("panel-clues"), store, board, api, tools);
mountRules(find("panel-rules"), store, api);
mountPlan(find("panel-board"), store, board, api, tools);
mountAbout(find("panel-about"), store, board);
mountLooks(find("panel-about"), store, board, tools);
bindKeys({ store, board, entry, tool: () => tools.current, findKind });
for (const name of PANELS) {
  const { mount } = await import(`./${name}.js`);
  mount(find(`panel-${name}`), store, board, api);
}
for (const list of document.querySelectorAll("[role=tablist]")) {
  bindTabs(list, `satdoku-${list.getAttribute("aria-label")}`);
}
board.focus();
document.body.dataset.ready = "true";

function mountHeader() {
  const [undo, redo] = [find("undo"), find("redo")];
  const show = () => {
    undo.disabled = !store.canUndo;
    redo.disabled = !store.canRedo;
    undo.title = store.undoLabel;
    redo.title = store.redoLabel;
  };
  undo.addEventListener("click", () => store.undo());
  redo.addEventListener("click", () => store.redo());
  find("help").addEventListener("click", showHelp);
  find("new").addEventListener("click", () => {
    store.commit(emptyPuzzle(store.puzzle, store.board), "new puzzle", []);
    board.focus();
  });
  store.addEventListener("puzzle", show);
  const problem = find("problem");
  board.addEventListener("problem", ({ detail }) => {
    problem.textContent = detail.message;
    problem.hidden = false;
  });
  board.addEventListener("picture", () => (problem.hidden = true));
  show();
}
