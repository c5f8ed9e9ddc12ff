/* Digits that cannot both hold, by the houses and the pairs of rules.
 *
 * Invariant: rules are those that the kernel tells of a board; none is stated here.
 */

export class Clashes {
  #size;
  #houses;
  #pairs;

  /** board: the houses of a board, and the houses and pairs of candidates that each rule adds; rules:
   * the names of those that hold. */
  constructor(board, rules) {
    const added = rules.map((name) => board.rules[name]);
    this.#size = board.houses[0].length;
    this.#houses = [...board.houses, ...added.flatMap(({ houses }) => houses)];
    this.#pairs = Int32Array.from(added.flatMap(({ pairs }) => pairs));
  }

  /** The pairs of cells [one, other] whose digits clash, of digits with 0 for an empty cell. */
  *of(digits) {
    const size = this.#size, pairs = this.#pairs;
    for (const house of this.#houses) {
      for (let seen = 0, i = 0; i < size; i++) {
        const digit = digits[house[i]], bit = 1 << digit;
        if (digit && seen & bit) yield [house.find((cell) => digits[cell] === digit), house[i]].sort((a, b) => a - b);
        seen |= bit;
      }
    }
    for (let i = 0; i < pairs.length; i += 2) {
      const one = Math.floor(pairs[i] / size), other = Math.floor(pairs[i + 1] / size);
      if (digits[one] === (pairs[i] % size) + 1 && digits[other] === (pairs[i + 1] % size) + 1) yield [one, other];
    }
  }
}
