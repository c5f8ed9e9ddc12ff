"""Questions to a PySAT solver: the solver, the session, and one call per question.

Invariant: what is solved here is checked by the witness, so a rule or a kind of clue that the
witness does not state is an error when this package is imported.
"""

from ..model.kinds import KINDS
from ..model.rules import RULES
from ..witness.rules import require_statements

require_statements((*RULES, *KINDS))
