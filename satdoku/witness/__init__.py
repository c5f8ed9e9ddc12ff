"""Independent restatements of the rules: checks of grids, SMT-LIB files and Z3 models."""
