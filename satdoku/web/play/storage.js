/* A place to keep things where the browser gives none, such as in a frame of somebody else's page.
 *
 * Invariant: after it `localStorage` and `sessionStorage` can be read and written; what such a place
 * keeps is gone with the page.
 */

class Memory {
  #kept = new Map();

  getItem(name) {
    return this.#kept.get(name) ?? null;
  }

  setItem(name, value) {
    this.#kept.set(name, String(value));
  }
}

for (const name of ["localStorage", "sessionStorage"]) {
  try {
    window[name].getItem("satdoku");
  } catch {
    Object.defineProperty(window, name, { value: new Memory() });
  }
}
