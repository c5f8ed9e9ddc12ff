"""Boards of 26x26 to 256x256: propagation first, then one SAT formula of what it leaves open.

Invariant: digits are uint16 arrays and candidates entries of arrays; nothing here creates an object
per candidate before a solver loads its clauses. The rules of a large board are houses and nothing
else: `Constraints` refuses others.
"""
