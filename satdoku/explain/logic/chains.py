"""Chains as findings, and in words.

Invariant: each phrase tells what follows from those before it and the candidates left, by the unit
that it names; what a true candidate excludes is told only where nothing else would be.
"""

from __future__ import annotations

from ..naming import listed
from ..readings import Mask
from ..techniques import Finding, State
from ..units import Units
from ..words import exclusions
from . import scale
from .reference import SUPPOSED, Chain, Node, cost_of, is_strike


def finding_of(state: State, chain: Chain, technique: str) -> Finding:
    """The conclusion of a chain: its first literal is wrong."""
    first = chain[0]
    named = dict.fromkeys(node.unit for node in chain if node.unit != SUPPOSED)
    cost, nodes = cost_of(chain)
    is_long = technique == "contradiction"
    return Finding(
        technique,
        tuple(named),
        placed=None if first.holds else first.candidate,
        struck=1 << first.candidate if first.holds else 0,
        chain=phrases_of(state.units, chain),
        rating=scale.of_contradiction(nodes) if is_long else scale.of_chain(cost),
    )


def phrases_of(units: Units, chain: Chain) -> tuple[str, ...]:
    """What becomes true, or is struck by a clue, in turn; then why that cannot be."""
    told = [f"{units.name(chain[0].candidate, '=' if chain[0].holds else '≠')}"]
    strikes: dict[tuple[int, tuple[int, ...]], Mask] = {}
    for node in chain[1:-1]:
        if is_strike(chain, node):
            reason = node.unit, node.parents
            strikes[reason] = strikes.get(reason, 0) | 1 << node.candidate
    for node in chain[1:-1]:
        if node.holds:
            told.append(f"{units.name(node.candidate)} ({_place(units, node)})")
        elif struck := strikes.pop((node.unit, node.parents), 0):
            told.append(f"{exclusions(units, struck)} ({units.all[node.unit].label})")
    return (*told, f"and {_end(units, chain)}")


def _place(units: Units, node: Node) -> str:
    unit = units.all[node.unit]
    return "last in its cell" if unit.family == "cell" else unit.label


def _end(units: Units, chain: Chain) -> str:
    end = chain[-1]
    unit = units.all[end.unit]
    pair = [chain[number] for number in end.parents]
    if len(pair) == 2 and pair[0].candidate == pair[1].candidate:
        true, false = sorted(pair, key=lambda node: not node.holds)
        name = units.name(false.candidate, "≠")
        if false.unit == SUPPOSED:
            return f"so {units.name(true.candidate)} after all"
        return f"yet {name} ({units.all[false.unit].label})"
    if unit.digit is None:
        cell = listed(map(units.board.name_of, unit.cells)) if unit.candidates else unit.label
        return f"nothing is left for {cell}"
    return f"{unit.label} has no place left for {unit.digit}"
