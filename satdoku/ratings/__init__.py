"""Ratings of classic puzzles on the scale of Sudoku Explainer, and the steps behind them.

Invariant: a rating is that of Sukaku Explainer 1.18.1 with its default settings, to the tenth. Two
implementations give one answer: `reference` is there to be read, and serves where there was no
compiler; the C extension is there to be fast.

    er  the hardest step (a puzzle's rating)
    ep  the hardest step up to the first placed digit ("pearl")
    ed  the first step ("diamond")

docs/RATINGS.md has the techniques, their order and their ratings.
"""
