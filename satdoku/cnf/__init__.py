"""Formulas out, answers in: the encodings and DIMACS."""
