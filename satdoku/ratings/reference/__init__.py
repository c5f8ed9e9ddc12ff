"""Ratings in plain Python: what each technique is, step by step.

Invariant: it finds the steps that C finds, each with the same record; C is only faster.
"""

from .rating import Rating, rate, steps_of
from .record import records_of
from .step import ChainLink, Step, Technique

__all__ = ["ChainLink", "Rating", "Step", "Technique", "rate", "records_of", "steps_of"]
