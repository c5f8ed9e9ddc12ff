/* A piece of work that can be stopped.
 *
 * Invariant: one at a time; a new one stops the one before, of which nothing is heard any more.
 */

export class Task {
  #controller = null;
  #onchange;

  /** `onchange(running)` hears when work begins and when it is over. */
  constructor(onchange) {
    this.#onchange = onchange;
  }

  get running() {
    return this.#controller !== null;
  }

  /** Does `work(signal)`; its errors go to `onerror` unless it was stopped. */
  async run(work, onerror) {
    this.#controller?.abort();
    const mine = (this.#controller = new AbortController());
    this.#onchange(true);
    try {
      await work(mine.signal);
    } catch (error) {
      if (!mine.signal.aborted) onerror(error);
    } finally {
      if (this.#controller === mine) {
        this.#controller = null;
        this.#onchange(false);
      }
    }
  }

  stop() {
    this.#controller?.abort();
  }
}
