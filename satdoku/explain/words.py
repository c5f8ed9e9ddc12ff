"""Write explanations in words.

Invariant: the words depend only on a finding and its state, and they say exactly what `witness`
proves. They use the usual short notation: r1c1=5, r1c1≠5, row 3, box 7.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ..model.board import bits
from .clue_words import reason
from .consequences import consequences, told
from .exclusions import exclusions
from .naming import cells_named, either, listed
from .techniques import DIRECT, Finding, State
from .units import Unit, Units

MANY = 30  # a sentence lists at most this many units


def words_of(state: State, finding: Finding) -> str:
    """One sentence: reason, colon, conclusion; or conclusion, colon, reason."""
    units = [state.units.all[unit] for unit in finding.units]
    if finding.tells:
        return f"{_conclusion(state.units, finding)}: otherwise {in_turn(finding.tells())}"
    if finding.placed is not None:
        return f"{state.units.name(finding.placed)}: {_single_words(state, finding, units)}"
    if finding.why:
        end = exclusions(state.units, finding.struck, state.live)
        says = finding.why.endswith(f" {end.replace(' is ', ' = ')}")  # so r1c1 = 5: r1c1 is 5
        return finding.why if says else f"{finding.why}: {end}"
    if finding.refuted is not None:
        return _chain_words(state, finding, units)
    if finding.said:
        why = told(state.units, finding.said)
        return f"{exclusions(state.units, finding.struck, state.live)}: {why} ({units[0].label})"
    if units[0].sentence and len(units) == 1:
        why = reason(state.units, units[0], state.live, finding.struck)
        return f"{why}: {exclusions(state.units, finding.struck, state.live)}"
    end = exclusions(state.units, finding.struck, state.live)
    if finding.digits:
        return f"{_subset_words(state.units, finding, units)}: {end}"
    return f"{_overlap_words(state, finding, units)}: {end}"


def _conclusion(units: Units, finding: Finding) -> str:
    if finding.placed is not None:
        return units.name(finding.placed)
    return exclusions(units, finding.struck)


def in_turn(phrases: Sequence[str]) -> str:
    """The consequences of a chain as one text, which never starts with "and" or "but"."""
    return ", ".join(phrases).removeprefix("and ").removeprefix("but ")


def grouped(units: Sequence[Unit]) -> str:
    """Units by place: `r1c1, row 3 (2, 5), knight's move r1c1-r2c3`; if many, counts only."""
    if len(units) > MANY:
        counts = Counter(unit.family for unit in units)
        parts = ", ".join(f"{family} {count}" for family, count in counts.items())
        return f"{len(units)} units of the rules ({parts})"
    digits: dict[str, list[str]] = {}
    for unit in units:
        digits.setdefault(unit.label, []).extend([] if unit.digit is None else [str(unit.digit)])
    return ", ".join(
        f"{label} ({', '.join(said)})" if said else label for label, said in digits.items()
    )


def _single_words(state: State, finding: Finding, units: Sequence[Unit]) -> str:
    """The words for a group with one candidate left, or with one that another technique leaves."""
    group, *others = units
    if not finding.technique.startswith(DIRECT):
        return f"{_only(group)} ({finding.technique})"
    before = finding._replace(technique=finding.technique.removeprefix(DIRECT))
    assert finding.placed is not None
    place = state.units.board.name_of(finding.placed // state.units.size)
    if finding.digits:
        why = _subset_words(state.units, before, others)
        return f"{why}, so {group.digit} has none but {place}"
    return f"{_overlap_words(state, before, others)}, so {group.label} has it only in {place}"


def _only(unit: Unit) -> str:
    if unit.digit is None:
        return f"the only {unit.holds} left in {unit.label}"
    return f"the only place for {unit.digit} in {unit.label}"


def _subset_words(units: Units, finding: Finding, named: Sequence[Unit]) -> str:
    cells = cells_named(units.board, finding.cells)
    digits = listed(units.board.digits[digit] for digit in finding.digits)
    house = named[-1].label
    if finding.technique.startswith("naked"):
        return f"{cells} hold only {digits} ({finding.technique} in {house})"
    return f"{digits} have no place in {house} but {cells} ({finding.technique})"


def _overlap_words(state: State, finding: Finding, named: Sequence[Unit]) -> str:
    """The words for a group whose candidates all exclude the same candidates by other units."""
    group, *others = named
    units, left = state.units, tuple(bits(state.left(group)))
    board, size = units.board, units.size
    lost = {candidate // size for candidate in bits(finding.struck)}
    by = dict.fromkeys(_told_by(unit) for unit in others if unit.cells != (*lost,))
    at = f" ({listed(by)})" if by else ""
    none = "neither" if len(left) == 2 else "none"
    it = "it" if finding.struck.bit_count() == 1 else "them"
    if group.digit is None:
        digits = either(map(units.digit_of, left))
        return f"{group.label} is {digits}, {none} of which allows {it}{at}"
    places = cells_named(board, (c // size for c in left))
    start = f"{group.label} has {group.digit} only in {places}"
    if len(others) == 1 and others[0].digit == group.digit:
        return f"{start}, all of {others[0].label} ({finding.technique})"
    if {units.digit_of(candidate) for candidate in bits(finding.struck)} == {group.digit}:
        seen = "both" if len(left) == 2 else "all"
        return f"{start}, {seen} seen from {cells_named(board, lost)}{at}"
    return f"{start}, {none} of which allows {it}{at}"


def _told_by(unit: Unit) -> str:
    """A unit of two cells by what it is alone: the cells are told already."""
    return unit.label.rpartition(" ")[0] if unit.is_pair else unit.label


def _chain_words(state: State, finding: Finding, named: Sequence[Unit]) -> str:
    assert finding.refuted is not None
    first = 1 << finding.refuted
    phrases = chain_of(state, finding)
    text = in_turn(phrases)
    clues = [unit.label for unit in named if unit.sentence and unit.label not in text]
    by = f" (by {listed(clues)})" if clues else ""
    words = f"{exclusions(state.units, first)}: otherwise {text}{by}"
    also = finding.struck & ~first
    return f"{words}; by the same units {exclusions(state.units, also)}" if also else words


def chain_of(state: State, finding: Finding) -> tuple[str, ...]:
    """What follows if the conclusion is wrong, phrase by phrase; else empty."""
    if finding.refuted is None:
        return finding.tells() if finding.tells else ()
    named = [state.units.all[unit] for unit in finding.units]
    return consequences(state.units, named, state.live, [finding.refuted], finding.cases)
