/* A file of puzzles, a line each: streamed through workers, counted, and written as results.
 *
 * Invariant: the file is never in memory as a whole; its results are, line by line in its order, in
 * parts that the browser may keep on the disk. The page is not known here.
 */

import { readLines, Status } from "./satdoku.js";

const WORDS = Object.entries(Status).sort(([, a], [, b]) => a - b).map(([name]) => name.toLowerCase());
export const MOST_LISTED = 1000; // lines of each status
const PATIENCE = 60; // seconds for one puzzle
const ZERO = 48, NEWLINE = 10;
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
  const told = faults.map(({ line, message }) => [line, message]);
  const count = (word, line, reason) => {
    found.puzzles++;
    found.counts[word] = (found.counts[word] ?? 0) + 1;
    if (word === "unique") return;
    const list = (found.lists[word] ??= []);
    if (list.length < MOST_LISTED) list.push([line, reason]);
  };
  const pieces = [];
  const plain = (line, reason) => {
    count("invalid", line, reason);
    pieces.push(encoder.encode(`invalid line ${line}: ${reason}\n`));
  };
  const heads = WORDS.map((word) => encoder.encode(`${word} `));
  for (let i = 0, fault = 0; i <= statuses.length; i++) {
    while (fault < told.length && (i === statuses.length || told[fault][0] < lines[i])) plain(...told[fault++]);
    if (i === statuses.length) break;
    const word = WORDS[statuses[i]];
    if (statuses[i] === Status.INVALID) {
      plain(lines[i], clash(puzzles.subarray(i * cells, (i + 1) * cells)));
    } else if (statuses[i] === Status.UNIQUE || statuses[i] === Status.MULTIPLE) {
      count(word, lines[i], "");
      const head = heads[statuses[i]], bytes = new Uint8Array(head.length + cells + 1);
      bytes.set(head);
      for (let cell = 0; cell < cells; cell++) bytes[head.length + cell] = ZERO + solutions[i * cells + cell];
      bytes[head.length + cells] = NEWLINE;
      pieces.push(bytes);
    } else {
      count(word, lines[i], "");
      pieces.push(encoder.encode(`${word}\n`));
    }
  }
  return joined(pieces);
}

function joined(pieces) {
  const bytes = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
