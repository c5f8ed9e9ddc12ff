"""Paths of steps of many puzzles, in memory and in files.

Invariant: a trace depends on the puzzle and the rules alone, not on its neighbours or the workers.
"""
