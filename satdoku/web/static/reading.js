/* What the server reads of the puzzle on the page: its picture, and the clues that it refuses.
 *
 * Invariant: nobody waits for it. One question at a time, always about the newest puzzle; an answer is
 * used for the puzzle that it was asked for. A clue that cannot be read leaves the puzzle and its
 * history, and the others stay.
 */

import { boardKey } from "./grid.js";
import { pictureOf, relevant } from "./picture.js";

const REFUSED = 400;

/** Reads each puzzle of a store and shows it on a board. */
export function read(store, board) {
  new Reading(store, board);
}

class Reading {
  #known = new Map(); // texts of clues that can be read, by the key of the board
  #isAsking = false;

  constructor(store, board) {
    Object.assign(this, { store, board });
    store.addEventListener("puzzle", () => this.#read());
    this.#read();
  }

  async #read() {
    if (this.#isAsking) return;
    this.#isAsking = true;
    while (relevant(this.store.puzzle) !== this.board.drawn) {
      const { puzzle } = this.store;
      if (!(await this.#ask(puzzle)) && relevant(this.store.puzzle) === relevant(puzzle)) break;
    }
    this.#isAsking = false;
  }

  /** Asks about a puzzle. Returns whether there is an answer, though it may be a refusal. */
  async #ask(puzzle) {
    try {
      const picture = await pictureOf(puzzle);
      this.#learn(puzzle);
      await this.board.gestures.rest(); // the board does not move under a pointer that is down
      if (boardKey(this.store.puzzle) === boardKey(puzzle)) this.board.show(picture, relevant(puzzle));
    } catch (error) {
      const refused = error.status === REFUSED && (await this.#refusedIn(puzzle, error));
      if (!refused) this.board.dispatchEvent(new CustomEvent("problem", { detail: error }));
      else this.#refuse(refused, puzzle);
      return Boolean(refused);
    }
    return true;
  }

  #learn(puzzle) {
    const key = boardKey(puzzle);
    this.#known.set(key, new Set([...(this.#known.get(key) ?? []), ...(puzzle.clues ?? [])]));
  }

  /** The clue of a puzzle that cannot be read, with what is wrong; null if it is none of them. */
  async #refusedIn(puzzle, error) {
    const known = this.#known.get(boardKey(puzzle));
    const unread = (puzzle.clues ?? []).filter((text) => !known?.has(text));
    if (unread.length === 1) return { text: unread[0], error };
    for (const text of unread) {
      const alone = { ...puzzle, clues: [text] };
      const said = await pictureOf(alone).then(() => this.#learn(alone), (each) => each);
      if (said?.status === REFUSED) return { text, error: said };
    }
    return null;
  }

  #refuse(refused, puzzle) {
    this.store.withdraw(refused.text, boardKey(puzzle));
    this.store.dispatchEvent(new CustomEvent("refused", { detail: refused }));
  }
}
