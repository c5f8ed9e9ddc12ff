/* Changes of the puzzle that the server makes or has to allow: boards, rules, values of layers.
 *
 * Invariant: a change is made of the puzzle that is on the page when it takes effect, so nothing that
 * was drawn or typed meanwhile is lost; changes take effect in the order in which they were begun.
 */

import { pictureOf } from "./picture.js";

const queues = new WeakMap(); // the last change of each store

/** Commits the puzzle that `make(puzzle)` promises to make of the one on the page. If that one has
 * changed before the answer came, asks again. Throws `ApiError`. */
export function change(store, make, label, isOther = false) {
  const made = (queues.get(store) ?? Promise.resolve()).then(() => settle(store, make, label, isOther));
  queues.set(store, made.catch(() => null));
  return made;
}

/** Commits what `make(puzzle)` makes of the puzzle on the page, if the server can read it. Throws
 * `ApiError`. */
export function changeChecked(store, make, label) {
  const checked = async (puzzle) => {
    const made = make(puzzle);
    await pictureOf(made);
    return made;
  };
  return change(store, checked, label);
}

async function settle(store, make, label, isOther) {
  for (;;) {
    const { puzzle } = store;
    try {
      const made = await make(puzzle);
      await store.learn(made);
      if (store.puzzle === puzzle) return store.commit(made, label, isOther);
    } catch (error) {
      if (store.puzzle === puzzle) throw error;
    }
  }
}
