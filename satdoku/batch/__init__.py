"""Many puzzles: solve them, share them out, resume, write results."""
