/* Digits that cannot both hold, by the houses and the pairs of rules.
 *
 * Invariant: rules are those that the kernel tells of a board; none is stated here.
 */

/** The pairs of cells [one, other] whose digits clash, of digits with 0 for an empty cell. */
export function clashes(digits, board, rules) {
  const size = Math.sqrt(digits.length), found = new Map();
  const add = (one, other) => found.set(`${Math.min(one, other)},${Math.max(one, other)}`, [one, other]);
  const added = rules.map((name) => board.rules[name]);
  for (const house of [...board.houses, ...added.flatMap(({ houses }) => houses)]) {
    const holders = new Map();
    for (const cell of house) {
      if (!digits[cell]) continue;
      if (holders.has(digits[cell])) add(holders.get(digits[cell]), cell);
      holders.set(digits[cell], cell);
    }
  }
  for (const { pairs } of added)
    for (let i = 0; i < pairs.length; i += 2) {
      const [one, other] = [pairs[i], pairs[i + 1]].map((candidate) => Math.floor(candidate / size));
      if (digits[one] === (pairs[i] % size) + 1 && digits[other] === (pairs[i + 1] % size) + 1) add(one, other);
    }
  return [...found.values()];
}
