"""Many puzzles: decide them, share them among workers, resume, write results."""
