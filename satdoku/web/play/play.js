/* The page of one puzzle or several that needs no server, put together.
 *
 * Invariant: all that it shows lies in the page itself; nothing is fetched.
 */

import "./storage.js";
import { Board, liveRegion } from "../static/board.js";
import { Entry } from "../static/entry.js";
import { bindHistory } from "../static/history.js";
import { bindKeys, showHelp } from "../static/keys.js";
import { Progress } from "../static/progress.js";
import { mount as mountSolving } from "../static/solve.js";
import { bindTheme } from "../static/theme.js";
import { Tools } from "../static/tools.js";
import { Answers } from "./answers.js";
import { Contents } from "./contents.js";
import { Judge } from "./judge.js";
import { openKernel, unpacked } from "./kernel.js";
import { Path } from "./path.js";
import { Solving, Store } from "./store.js";

const find = (id) => document.getElementById(id);
const DIGITS = ".given, .candidates"; // of a picture, which the board draws itself

bindTheme(find("theme"));
const puzzles = JSON.parse(new TextDecoder().decode(await unpacked("puzzles")));
const articles = [...document.querySelectorAll("article")];
const live = liveRegion();
document.body.append(live);
const store = new Store();
store.open(puzzles[0]);
const modes = new Solving();
const progress = new Progress();
const board = new Board(find("board"), live, store, progress, modes);
const tools = new Tools(board);
const page = { store, board, tools, progress, modes };
const entry = new Entry(find("entry"), page);
const possible = (asked) => answers.check(asked);
const solver = mountSolving(find("panel-solve"), { ...page, possible });
const answers = new Answers(find("panel-answers"), { ...page, solver });
const path = new Path(find("panel-path"), page);
const contents = new Contents(find("contents"), puzzles, progress, open);
const history = bindHistory(find("undo"), find("redo"), () => progress.history);
bindKeys({ store, board, entry, modes, history, tool: () => tools.current, findKind: () => null });
mountHeader();
const kernel = openKernel();
contents.begin();
board.focus();
document.body.dataset.ready = "true";

/** Shows one of the puzzles. */
async function open(number) {
  const told = puzzles[number];
  progress.pause();
  answers.close();
  store.open(told);
  progress.open(told.key);
  board.show({ ...told.picture, ...told, svg: pictureOf(articles[number]) }, told.key);
  path.open(told.path);
  const about = articles[number].cloneNode(true);
  about.querySelector("svg").remove();
  find("rules").replaceChildren(about);
  document.title = find("title").textContent = told.title;
  solver.isPaused = false;
  if (document.visibilityState === "visible") progress.run();
  try {
    const judge = new Judge(await kernel, await unpacked(`plan-${told.plan}`), told, store.digits);
    if (told === store.told) await answers.open(judge);
  } catch (error) {
    if (told === store.told) answers.fail(`No answers: ${error.message}`);
  }
}

/** The picture of an article as it lies under the digits of the board. */
function pictureOf(article) {
  const drawn = article.querySelector("svg").cloneNode(true);
  for (const group of drawn.querySelectorAll(DIGITS)) group.remove();
  return new XMLSerializer().serializeToString(drawn);
}

function mountHeader() {
  find("help").addEventListener("click", () => showHelp(false));
  progress.addEventListener("notes", history.show);
}
