/* The search for kinds, rules and boards by the names that people use.
 *
 * Invariant: it finds what `found` of satdoku/model/other_names.py finds, in the same order; the
 * names, and the words that say nothing, are those of the catalogue.
 */

const UNFOUND = 4;

/** Words as they are compared: small letters and digits, no plurals, one blank between two. */
export function folded(text) {
  const words = text.toLowerCase().replace(/['’]/g, "").replace(/[^a-z0-9]+/g, " ").trim();
  return words.replace(/(?<=x)es\b|(?<=\w\w[^s\W])s\b/g, "");
}

/** Those of the entries that a query finds, the best first; all of them if it is empty. */
export function found(entries, query, fillers) {
  const words = folded(query).split(" ").filter(Boolean);
  const plain = words.filter((word) => !fillers.includes(word));
  const all = ranked(entries, words);
  return all.length || !plain.length ? all : ranked(entries, plain);
}

function ranked(entries, words) {
  const ranks = entries.map((entry) => [rank(words, entry), entry]);
  return ranks
    .filter(([place]) => place < UNFOUND)
    .sort(([a], [b]) => a - b)
    .map(([, entry]) => entry);
}

/** 0 for a name, 1 for the beginning of one, 2 for beginnings of its words, 3 for beginnings of
 * words of the text and of several names. */
function rank(words, { names, words: text }) {
  const joined = words.join("");
  const squeezed = names.map((name) => name.replaceAll(" ", ""));
  if (squeezed.includes(joined)) return 0;
  if (squeezed.some((name) => name.startsWith(joined))) return 1;
  if (names.some((name) => beginWords(words, name))) return 2;
  return beginWords(words, [...names, text].join(" ")) ? 3 : UNFOUND;
}

function beginWords(words, text) {
  return words.every((word) => ` ${text}`.includes(` ${word}`));
}
