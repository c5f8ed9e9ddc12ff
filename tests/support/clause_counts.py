"""How many clauses the families of a rule set state, before those that occur twice are one."""

from satdoku.model.constraints import Constraints


def clauses_as_written(constraints: Constraints) -> int:
    """The number of clauses that the families state; a pair counts once for each such family."""
    groups = sum(1 + len(group) * (len(group) - 1) // 2 for group in constraints.groups)
    return groups + sum(len(family.pairs) for family in constraints.families)
