"""Questions to a PySAT solver: the solver, the session, one call a question."""
