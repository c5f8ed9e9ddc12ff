"""Encode puzzles as CNF formulas, write them as DIMACS, and read solvers' answers."""
