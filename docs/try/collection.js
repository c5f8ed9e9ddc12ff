/* A file of puzzles, a line each: streamed through workers, counted, and written as results.
 *
 * Invariant: the file is never in memory as a whole; its results are, line by line in its order, in
 * parts that the browser may keep on the disk. The page is not known here.
 */

import { readLines, Status } from "./satdoku.js";

const WORDS = Object.entries(Status).sort(([, a], [, b]) => a - b).map(([name]) => name.toLowerCase());
export const MOST_LISTED = 1000; // lines of each status
const PATIENCE = 60; // seconds for one puzzle
const ZERO = 48, BLANK = 32, NEWLINE = 10;
const encoder = new TextEncoder();

/** Checks the puzzles of a file under the rules of a plan.
 *
 * clash(digits): why givens cannot all hold, in words; tell(found): hears how far it is. Returns
 * what was found: puzzles, bytes read, counts of each status, lists of lines [line, reason] of each
 * status but unique, and results, a Blob with the line that `satdoku batch` writes for each. */
export async function checkFile(file, { pool, plan, clash, tell, signal }) {
  const found = { puzzles: 0, bytes: 0, counts: {}, lists: {}, results: null };
  const parts = [];
  const chunks = chunksOf(file, (bytes) => (found.bytes += bytes), signal);
  for await (const block of pool.solveBlocks(readLines(chunks, plan.cells, plan.digits), plan)) {
    if (signal.aborted) break;
    await decide(block, pool, plan);
    parts.push(new Blob([written(block, plan.cells, found, clash)]));
    tell(found);
  }
  return { ...found, results: new Blob(parts, { type: "text/plain" }) };
}

/** The bytes of a file, a chunk at a time, unpacked if it is packed by gzip. */
async function* chunksOf(file, count, signal) {
  const start = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const counter = new TransformStream({
    transform(chunk, control) {
      count(chunk.length);
      control.enqueue(chunk);
    },
  });
  const raw = file.stream().pipeThrough(counter);
  const stream = start[0] === 0x1f && start[1] === 0x8b ? raw.pipeThrough(new DecompressionStream("gzip")) : raw;
  const reader = stream.getReader();
  try {
    for (let part = await reader.read(); !part.done && !signal.aborted; part = await reader.read()) yield part.value;
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** Asks again, and longer, for what the engine has given up on. */
async function decide(block, pool, plan) {
  for (let i = block.statuses.indexOf(Status.UNKNOWN); i >= 0; i = block.statuses.indexOf(Status.UNKNOWN, i + 1)) {
    const puzzle = block.puzzles.slice(i * plan.cells, (i + 1) * plan.cells);
    block.statuses[i] = await pool.ask("classify", puzzle, plan, { timeout: PATIENCE });
    if (block.statuses[i] === Status.UNIQUE || block.statuses[i] === Status.MULTIPLE)
      block.solutions.set(await pool.ask("solve", puzzle, plan), i * plan.cells);
  }
}

/** The lines of results of a block, puzzles and faults in the order of their lines; counts them. */
function written({ statuses, puzzles, solutions, lines, faults }, cells, found, clash) {
  const out = new Lines(statuses.length * (HEADS[Status.MULTIPLE].length + cells + 1));
  const count = (word, line, reason = "") => {
    found.counts[word] = (found.counts[word] ?? 0) + 1;
    const list = (found.lists[word] ??= []);
    if (list.length < MOST_LISTED) list.push([line, reason]);
  };
  const invalid = (line, reason) => {
    count("invalid", line, reason);
    out.add(encoder.encode(`invalid line ${line}: ${reason}`));
  };
  let fault = 0, unique = 0;
  const faultsBefore = (line) => {
    for (; fault < faults.length && faults[fault].line < line; fault++) invalid(faults[fault].line, faults[fault].message);
  };
  for (let i = 0; i < statuses.length; i++) {
    const status = statuses[i], cell = i * cells;
    faultsBefore(lines[i]);
    if (status === Status.UNIQUE) unique++;
    else if (status !== Status.INVALID) count(WORDS[status], lines[i]);
    if (status === Status.INVALID) invalid(lines[i], clash(puzzles.subarray(cell, cell + cells)));
    else if (status === Status.UNIQUE || status === Status.MULTIPLE) out.addSolution(HEADS[status], solutions, cell, cells);
    else out.add(HEADS[status]);
  }
  faultsBefore(Infinity);
  if (unique) found.counts.unique = (found.counts.unique ?? 0) + unique;
  found.puzzles += statuses.length + faults.length;
  return out.bytes;
}

const HEADS = WORDS.map((word) => encoder.encode(word));

/** Bytes that grow by a line at a time. */
class Lines {
  #bytes;
  #at = 0;

  constructor(room) {
    this.#bytes = new Uint8Array(room);
  }

  get bytes() {
    return this.#bytes.subarray(0, this.#at);
  }

  #need(more) {
    if (this.#at + more <= this.#bytes.length) return;
    const wider = new Uint8Array(2 * (this.#at + more));
    wider.set(this.#bytes);
    this.#bytes = wider;
  }

  add(text) {
    this.#need(text.length + 1);
    this.#bytes.set(text, this.#at);
    this.#at += text.length;
    this.#bytes[this.#at++] = NEWLINE;
  }

  /** A word, a blank and the digits of a solution, which begin at a place. */
  addSolution(word, solutions, first, cells) {
    this.#need(word.length + cells + 2);
    const bytes = this.#bytes;
    bytes.set(word, this.#at);
    let at = this.#at + word.length;
    bytes[at++] = BLANK;
    for (let cell = first; cell < first + cells; cell++) bytes[at++] = ZERO + solutions[cell];
    bytes[at++] = NEWLINE;
    this.#at = at;
  }
}
