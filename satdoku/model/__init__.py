"""What a puzzle is: board, rules, constraints, grid, puzzle and pencil marks."""
