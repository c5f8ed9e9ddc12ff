/* The engine of the page: the kernel and its script, which lie in the page, and workers that ask it.
 *
 * Invariant: nothing is fetched. What takes long runs in workers, so that the page never stands
 * still; where the browser gives none, the page asks the kernel itself.
 */

const WORKERS = 2;

/** The bytes of a block of the page, which Python has packed. */
export async function unpacked(id) {
  const text = document.getElementById(id).textContent.trim();
  const packed = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The engine, ready to answer. Throws where the browser does not run it. */
export async function openKernel() {
  const script = new Blob([await unpacked("satdoku")], { type: "text/javascript" });
  const address = URL.createObjectURL(script);
  await import(address);
  const { Pool, Status, load } = await globalThis.satdoku;
  const here = await load(await unpacked("kernel"));
  const start = (name) => new Worker(address, { name });
  const pool = await Pool.open({ size: WORKERS, kernel: here.module, start }).catch(() => null);
  return new Kernel(here, pool, Status);
}

class Kernel {
  constructor(here, pool, Status) {
    Object.assign(this, { here, pool, Status });
  }

  /** What a method of satdoku.js answers. Throws an error whose name is `BudgetError` if it gives up. */
  async ask(method, ...words) {
    if (this.pool) {
      try {
        return await this.pool.ask(method, ...words);
      } catch (error) {
        if (!error.message.startsWith("a worker failed")) throw error;
        this.pool = null;
      }
    }
    return this.here[method](...words);
  }
}
