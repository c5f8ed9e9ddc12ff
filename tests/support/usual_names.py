"""What people call clues, rules and boards, and what each is here.

Invariant: written by hand, from what other programs and setters say, not from our tables.
"""

from __future__ import annotations

# What f-puzzles, SudokuPad, Interactive Sudoku Solver, logic-masters.de and setters call things.
TERMS = {
    # f-puzzles
    "Arrow": "arrow", "Between Line": "between", "Clone": "clone", "Difference": "difference",
    "Ratio": "ratio", "XV": "sum", "Even": "even", "Odd": "odd", "Extra Region": "region",
    "Killer Cage": "cage", "Little Killer Sum": "little-killer", "Maximum": "maximum",
    "Minimum": "minimum", "Palindrome": "palindrome", "Quadruple": "quadruple",
    "Sandwich Sum": "sandwich", "Thermometer": "thermo", "Antiknight": "knight",
    "Antiking": "king", "Nonconsecutive": "nonconsecutive", "Disjoint Groups": "disjoint",
    "Diagonal": "diagonal", "Entropic Line": "entropic", "Modular Line": "modular",
    "Region Sum Line": "region-sum", "Renban": "renban", "Whispers": "whisper",
    "Zipper Line": "zipper", "Nabner": "nabner", "Double Arrow": "double-arrow",
    "Lockout": "lockout", "Slow Thermometer": "slow-thermo", "X-Sum": "x-sum",
    "Skyscraper": "skyscraper", "Row Indexer": "row-index", "Column Indexer": "col-index",
    "Box Indexer": "box-index",
    # Interactive Sudoku Solver
    "White Kropki Dot": "difference", "Black Kropki Dot": "ratio", "Pill Arrow": "arrow",
    "Anti-Taxicab": "taxicab", "Anti-Consecutive": "nonconsecutive", "Windoku": "windoku",
    "Disjoint Sets": "disjoint", "Counting Circles": "circles", "Numbered Room": "numbered-room",
    "Full Rank": "full-rank", "Lunchbox": "lunchbox", "Quad": "quadruple", "Sum Line": "ten-line",
    "Dutch Flatmates": "flat-mates", "Global Entropy": "entropy", "Global Mod": "modular-entropy",
    "Strict Kropki": "no-difference", "Strict XV": "no-sum", "Hidden Skyscraper":
    "hidden-skyscraper", "Rellik Cage": "rellik", "Equality Cage": "equality",
    "Regular Expression": "regex", "NFA": "machine", "Value Indexing": "value-index",
    "Same Values": "same-values", "Look and Say": "count", "All Different": "distinct",
    "Chaos Construction": "chaos", "Greater Than": "greater", "Count Distinct": "count-distinct",
    # setters and logic-masters.de
    "kropki": "difference", "kropki dots": "ratio", "consecutive pairs": "difference",
    "German whispers": "whisper", "Dutch whisper": "whisper", "whisper lines": "whisper",
    "killer": "cage", "killer sudoku": "cage", "thermo sudoku": "thermo", "anti-knight": "knight",
    "anti knight": "knight", "knight's move": "knight", "anti-king": "king", "no touch": "king",
    "anti-queen": "antiqueen", "non-consecutive": "nonconsecutive", "X-Sudoku": "diagonal",
    "diagonals": "diagonal", "hyper": "windoku", "hyper sudoku": "windoku", "NRC": "windoku",
    "irregular": "jigsaw", "jigsaw sudoku": "jigsaw", "latin square": "latin",
    "samurai": "samurai", "gattai": "grids", "extra regions": "region", "pencil marks": "digits",
    "inequality": "greater", "futoshiki": "greater", "fortress": "maximum", "XV sudoku": "sum",
    "anti-renban": "nabner", "10 line": "ten-line", "ten lines": "ten-line",
    "modular lines": "modular", "parity line": "parity", "159 sudoku": "col-index",
    "all dots given": "no-ratio", "negative constraint": "no-sum", "anti-XV": "no-sum",
    "single loop": "single-loop", "doublers": "formula", "no 2x2": "no-square",
    "battenburg": "parity", "sandwich": "sandwich", "X sums": "x-sum", "Rossini": "rossini",
    "greater than killer": "greater-sum", "equal sum lines": "region-sum", "pill": "arrow",
}  # fmt: skip
