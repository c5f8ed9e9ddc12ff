"""Questions to a PySAT solver: the solver, the session, and one call per question.

Invariant: what is solved here is checked by the witness, so a rule that the witness does not state
is an error when this package is imported.
"""

from ..model.rules import RULES
from ..witness.rules import require_statements

require_statements(RULES)
