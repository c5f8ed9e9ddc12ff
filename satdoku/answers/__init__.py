"""Questions about a puzzle, answered by whichever of the engine and a CDCL session is sooner.

Invariant: an answer does not depend on who gives it, and the witness verifies every returned
solution.
"""
