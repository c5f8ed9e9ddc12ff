"""Chains as findings, and in words.

Invariant: each phrase tells what follows from those before it and the candidates left, by the unit
that it names; what a true candidate excludes is told only where nothing else would be.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial

from ...model.board import mask_of
from ..exclusions import exclusions
from ..naming import listed
from ..readings import Mask
from ..step import Pattern, pattern_of_chain
from ..techniques import Finding, State
from ..units import Units
from .reference import SUPPOSED, Chain, Net, Node, is_strike, with_case
from .strands import rating_of


def finding_of(
    state: State, net: Net, chain: Chain, technique: str, rating: float | None = None
) -> Finding:
    """The conclusion of a chain: its first literal is wrong. rating: of the chain, if known."""
    first = chain[0]
    met = dict.fromkeys(unit for unit in _units(chain) if unit != SUPPOSED)
    named = dict.fromkeys(unit for number in met for unit in net.named(number))
    return Finding(
        technique,
        tuple(named),
        placed=None if first.holds else first.candidate,
        struck=1 << first.candidate if first.holds else 0,
        tells=cache(partial(phrases_of, net, chain, state.live)),
        draws=partial(_drawn, net, chain),
        rating=rating or rating_of(net, chain, state.live, technique),
    )


def _drawn(net: Net, chain: Chain) -> Pattern | None:
    """A picture of all of it, with what is said of each node."""
    return pattern_of_chain(chain, tuple(_told(net, chain)), net.units.board)


def _units(chain: Chain) -> Iterator[int]:
    """The units of all nodes, with those of cases."""
    for node in chain:
        yield from _units(node.case)
        yield node.unit


def phrases_of(net: Net, chain: Chain, live: Mask, start: int = 0) -> tuple[str, ...]:
    """What becomes true, or is struck by a clue, in turn from a node on; then why that cannot be.
    A case is told in brackets, with what it leads to."""
    first, end, units = chain[start], chain[-1], net.units
    told = [units.name(first.candidate, "=" if first.holds else "≠")]
    strikes: dict[Reason, Mask] = {}
    for node in chain[start + 1 : -1]:
        if is_strike(chain, node):
            strikes[_reason(node)] = strikes.get(_reason(node), 0) | 1 << node.candidate
    last = _emptied(units, chain)
    denied = {_reason(node) for node in _pair(chain) or () if is_strike(chain, node)}
    if last:
        denied.add(last)
    for reason in denied:
        if reason == last or strikes.get(reason, 0).bit_count() == 1:
            strikes.pop(reason, None)
    for number, node in enumerate(chain[start + 1 : -1], start + 1):
        if node.case:
            told.append(_case(net, chain, number, live))
        if node.holds and _is_said(units, chain, node):
            continue
        if node.holds:
            told.append(f"{units.name(node.candidate)} ({_by(net, node)})")
        elif struck := strikes.pop(_reason(node), 0):
            before = live & ~mask_of(chain[parent].candidate for parent in node.parents)
            told.append(f"{exclusions(units, struck, before)} ({net.label(node.unit)})")
    if last:
        name = listed(map(units.board.name_of, units.all[end.unit].cells))
        return (*told, f"and {net.label(last[0])} leaves nothing for {name}")
    return (*told, f"and {_end(net, chain)}")


def _case(net: Net, chain: Chain, number: int, live: Mask) -> str:
    """`r1c2≠3 (else r2c2=5 (column 2), and nothing is left for r2c3)`."""
    name = net.units.name(chain[number].candidate, "≠")
    _, *told = phrases_of(net, with_case(chain, number), live, number)
    return f"{name} (else {', '.join(told).removeprefix('and ')})"


Reason = tuple[int, tuple[int, ...]]  # the unit of a node, and its parents


def _reason(node: Node) -> Reason:
    return node.unit, node.parents


def _is_said(units: Units, chain: Chain, node: Node) -> bool:
    """Whether a clue's strike says by itself what the cell holds."""
    parents = [chain[parent] for parent in node.parents]
    is_one = len(set(map(_reason, parents))) == 1 and all(is_strike(chain, p) for p in parents)
    return is_one and units.all[node.unit].family == "cell" and len(parents) > 1


def _emptied(units: Units, chain: Chain) -> Reason | None:
    """The strike that alone leaves nothing for a cell, if that is the contradiction."""
    unit = chain[-1].unit
    if unit >= len(units.all) or units.all[unit].family != "cell":
        return None
    parents = [chain[parent] for parent in chain[-1].parents]
    reasons = {_reason(node) for node in parents if is_strike(chain, node)}
    is_one = len(parents) > 1 and len(reasons) == 1 == len(set(map(_reason, parents)))
    return reasons.pop() if is_one else None


def _told(net: Net, chain: Chain) -> Iterator[str]:
    """What is said of each node, the contradiction last."""
    for node in chain[:-1]:
        name = net.units.name(node.candidate, "=" if node.holds else "≠")
        if node.case:
            yield f"{name} (else a contradiction)"
            continue
        yield name if node.unit == SUPPOSED else f"{name} ({_by(net, node)})"
    pair = _pair(chain)
    meets = pair is not None and pair[1].unit != SUPPOSED
    yield "and these cannot both be" if meets else f"and {_end(net, chain)}"


def _by(net: Net, node: Node) -> str:
    """By what a node follows."""
    label = net.label(node.unit)
    if label == net.units.board.name_of(node.candidate // net.units.size):
        return "last in its cell" if node.holds else "same cell"
    return label


def _pair(chain: Chain) -> tuple[Node, Node] | None:
    """The two nodes of the end, if these say that a candidate holds and does not."""
    ends = [chain[number] for number in chain[-1].parents]
    if len(ends) != 2 or ends[0].candidate != ends[1].candidate:
        return None
    true, false = sorted(ends, key=lambda node: not node.holds)
    return true, false


def _end(net: Net, chain: Chain) -> str:
    end, units = chain[-1], net.units
    if pair := _pair(chain):
        true, false = pair
        name = units.name(true.candidate)
        if false.unit == SUPPOSED:
            return f"so {name} after all"
        if is_strike(chain, false):
            return f"{net.label(false.unit)} does not allow {name}"
        rival = chain[false.parents[0]].candidate
        if rival // units.size == true.candidate // units.size:
            both = units.digit_of(rival), units.digit_of(true.candidate)
            return f"{units.board.name_of(rival // units.size)} cannot hold both {listed(both)}"
        return f"yet {units.name(true.candidate, '≠')} ({net.label(false.unit)})"
    unit = units.all[end.unit]
    if unit.digit is None:
        cell = listed(map(units.board.name_of, unit.cells)) if unit.candidates else unit.label
        return f"nothing is left for {cell}"
    return f"{unit.label} has no place left for {unit.digit}"
