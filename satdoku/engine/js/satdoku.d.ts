// Types of satdoku.js.
//
// Invariant: what satdoku.js exports stands here with the same names, parameters and options, and
// nothing else does but types.

/** A text (`.` or 0 for an empty cell), or digits (0 for an empty cell). */
export type Puzzle = string | Uint8Array | readonly number[];

/** Several puzzles; bytes may be those of any number, one after the other. */
export type Puzzles = Puzzle | readonly Puzzle[];

/** Names with commas between them, bytes as `satdoku export -f plan` writes them, or what is made of them. */
export type Rules = string | Uint8Array | Plan;

/** Where the kernel lies (by itself: beside the module), its bytes, or the module itself. */
export type Kernel = string | URL | ArrayBuffer | ArrayBufferView<ArrayBuffer> | WebAssembly.Module;

export type StatusCode = 0 | 1 | 2 | 3 | 4 | 5;

export const Status: {
  readonly NONE: 0;
  readonly UNIQUE: 1;
  readonly MULTIPLE: 2;
  readonly SOLVED: 3;
  readonly INVALID: 4;
  readonly UNKNOWN: 5;
};

/** Wrong input, with what was found and what was expected; or a kernel that failed. */
export class SatdokuError extends Error {}

/** The time or the nodes were used up before the answer was found. */
export class BudgetError extends SatdokuError {}

/** The kernel, ready to answer. */
export function load(kernel?: Kernel): Promise<Satdoku>;

/** Rules that the kernel knows. */
export interface Plan {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly cells: number;
  readonly digits: number;
  /** The givens that came with the rules: then a puzzle need not be told. */
  readonly givens: Uint8Array<ArrayBuffer> | null;
  /** cells * digits */
  readonly variables: number;
  /** Whether two givens of a puzzle (cells,) cannot both hold. */
  hasClash(row: Uint8Array): boolean;
  /** The bytes of this plan with the digits that cells may hold, an empty list for all of them. */
  withMarks(marks: readonly (readonly number[])[]): Uint8Array<ArrayBuffer>;
  /** Whether the digit in a cell cannot hold beside the other givens. */
  hasClashAt(row: Uint8Array, cell: number): boolean;
}

/** What is found of each puzzle. */
export interface Answers {
  /** (N,): codes of `Status`. */
  statuses: Uint8Array<ArrayBuffer>;
  /** (N * cells,): zeros where none is known. */
  solutions: Uint8Array<ArrayBuffer>;
  /** (N,): nodes of the search. */
  nodes: Uint32Array<ArrayBuffer>;
}

/** A named rule: the cells of the houses that it adds, and pairs of candidates that it forbids, flat. */
export interface NamedRule {
  readonly houses: number[][];
  readonly pairs: number[];
}

/** Questions and answers. A `puzzle` that is null or undefined: the givens of the plan. Without `rules`:
 * classic, on a board of 4x4, 6x6 or 9x9 by the length of the puzzle. */
export interface Satdoku {
  readonly module: WebAssembly.Module;
  /** The version of satdoku. */
  readonly version: string;
  /** By size: the houses of the board, and the named rules that it allows. */
  readonly boards: Readonly<
    Record<string, { readonly houses: number[][]; readonly rules: Readonly<Record<string, NamedRule>> }>
  >;

  plan(rules?: Rules, size?: number): Plan;
  /** Forget a plan, with its memory. */
  forget(plan: Plan): void;

  /** limit: solutions to look for, 1 (the status is then SOLVED, never UNIQUE) or 2; budget: nodes of each. */
  solveBatch(puzzles?: Puzzles | null, rules?: Rules, options?: { limit?: 1 | 2; budget?: number }): Answers;
  /** The statuses alone. */
  classifyBatch(
    puzzles?: Puzzles | null, rules?: Rules, options?: { limit?: 1 | 2; budget?: number },
  ): Uint8Array<ArrayBuffer>;

  /** A solution (cells,), or null; BudgetError after `timeout` seconds. */
  solve(puzzle?: Puzzle | null, rules?: Rules, options?: { timeout?: number }): Uint8Array<ArrayBuffer> | null;
  /** UNIQUE, MULTIPLE, NONE, INVALID if two givens clash, UNKNOWN after `timeout` seconds. */
  classify(puzzle?: Puzzle | null, rules?: Rules, options?: { timeout?: number }): StatusCode;
  /** The grid with every cell that unit propagation alone fixes, or null if it conflicts. */
  propagate(puzzle?: Puzzle | null, rules?: Rules): Uint8Array<ArrayBuffer> | null;
  /** For each cell the digits that it has in some solution; BudgetError after `timeout` seconds. */
  candidates(puzzle?: Puzzle | null, rules?: Rules, options?: { timeout?: number }): number[][];
  /** The number of solutions, or `limit` if there are as many; BudgetError after `budget` nodes. */
  count(puzzle?: Puzzle | null, rules?: Rules, options?: { limit?: number; budget?: number }): number;
  /** The solutions in ascending order, at most `limit`. */
  solutions(
    puzzle?: Puzzle | null, rules?: Rules, options?: { limit?: number },
  ): Generator<Uint8Array<ArrayBuffer>, void, undefined>;

  /** n minimal puzzles with one solution (n * cells); a seed makes the same ones everywhere. */
  generate(n?: number, rules?: Rules, options?: { seed?: number; size?: number }): Uint8Array<ArrayBuffer>;
}

/** A file, a stream or pieces of bytes. */
export type Bytes = Blob | Uint8Array | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** A line that is no puzzle. */
export interface Fault {
  line: number;
  message: string;
}

/** Some of the puzzles of a text. */
export interface Block {
  /** (N * cells,) */
  puzzles: Uint8Array<ArrayBuffer>;
  /** (N,): the line of each, from 1. */
  lines: Int32Array<ArrayBuffer>;
  faults: Fault[];
}

/** The puzzles of a text, a line each, in blocks. most: the largest digit, if not the root of `cells`. */
export function readLines(
  chunks: Bytes, cells?: number, most?: number,
): AsyncGenerator<Block, void, undefined>;

/** What a pool can be asked. */
export type Question = Exclude<
  { [Name in keyof Satdoku]: Satdoku[Name] extends (...words: never[]) => unknown ? Name : never }[keyof Satdoku],
  "plan" | "forget"
>;

/** What it answers: solutions as a list. */
export type Answer<Name extends Question> =
  ReturnType<Satdoku[Name]> extends Generator<infer One> ? One[] : ReturnType<Satdoku[Name]>;

/** Workers that answer questions about many puzzles at once; results come in order. */
export class Pool {
  private constructor();
  /** size: workers; one for each core unless told. start: what starts a worker of this script under a
   * name, in a page where it is no file of its own. */
  static open(options?: { size?: number; kernel?: Kernel; start?: (name: string) => Worker }): Promise<Pool>;
  /** A method of Satdoku in a worker. */
  ask<Name extends Question>(method: Name, ...words: Parameters<Satdoku[Name]>): Promise<Answer<Name>>;
  /** `solveBatch` of blocks as `readLines` yields them, in order, each with what was found. */
  solveBlocks(
    blocks: AsyncIterable<Block> | Iterable<Block>, rules?: Rules, options?: { limit?: 1 | 2; budget?: number },
  ): AsyncGenerator<Block & Answers, void, undefined>;
  /** End all workers; what is asked for fails. */
  stop(error?: Error): void;
}
