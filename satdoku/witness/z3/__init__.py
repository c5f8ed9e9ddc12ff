"""Z3 models of Sudoku, built from the witness's rules, and queries to them."""
