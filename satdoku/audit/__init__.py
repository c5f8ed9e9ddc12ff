"""Audit collections of puzzles (rows, files, duplicates between files) and report the result."""
