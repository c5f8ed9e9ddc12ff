"""The Z3 models by name.

Invariant: the command line promises these names, so they do not change.

The class of a model gives its kind. The exception is z3-dimacs, whose kind is that of its formula.
"""

from __future__ import annotations

from .base import Model
from .booleans import (
    BitVecOneHot,
    Booleans,
    Cnf,
    PseudoBooleans,
    ReadDimacs,
)
from .integers import (
    BitVecBinary,
    Enumeration,
    IntDistinct,
    IntPairwise,
)

__all__ = ["DIMACS_MODEL", "Z3_MODELS", "Cnf", "Model", "ReadDimacs"]

DIMACS_MODEL = "z3-dimacs"
Z3_MODELS: dict[str, type[Model]] = {
    "z3-int-distinct": IntDistinct,
    "z3-int-pairwise": IntPairwise,
    "z3-bitvec": BitVecOneHot,
    "z3-bitvec-binary": BitVecBinary,
    "z3-enum": Enumeration,
    "z3-bool": Booleans,
    "z3-bool-pb": PseudoBooleans,
    DIMACS_MODEL: ReadDimacs,
}
