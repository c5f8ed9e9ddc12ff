"""Write explanations in words.

Invariant: the words depend only on a finding and its state, and they say exactly what `witness`
proves. They use the usual short notation: r1c1=5, r1c1≠5, row 3, box 7.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from ..model.board import Board, Cells, bits, mask_of
from .clue_words import reason
from .naming import cells_named, either, listed
from .readings import Mask, Removal, Said
from .techniques import Finding, State
from .units import Unit, Units, union

MANY = 30  # a sentence lists at most this many units


def words_of(state: State, finding: Finding) -> str:
    """One sentence: reason, colon, conclusion; or conclusion, colon, reason."""
    units = [state.units.all[unit] for unit in finding.units]
    if finding.chain:
        return f"{_conclusion(state.units, finding)}: otherwise {in_turn(finding.chain)}"
    if finding.placed is not None:
        return f"{state.units.name(finding.placed)}: {_only(units[0])} ({finding.technique})"
    if finding.why:
        return f"{finding.why}: {exclusions(state.units, finding.struck, state.live)}"
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


def exclusions(units: Units, struck: Mask, live: Mask = 0) -> str:
    """The struck candidates: `no 5 or 7 in r1c1; no 8 in r2c2 and r2c3`.

    live: the candidates before, if cells may be named by what they keep where that is less:
    `r1c1 and r2c1 hold 8 or 9`.
    """
    lost = units.held(struck)
    plain = _losses(units.board, lost)
    if not live:
        return "; ".join(plain)
    rest = units.held(live & ~struck)
    kept = {c: rest[c] for c in lost if 0 < len(rest.get(c, ())) < len(lost[c])}
    others = {cell: digits for cell, digits in lost.items() if cell not in kept}
    short = [*_holdings(units.board, kept), *_losses(units.board, others)]
    return "; ".join(_shorter(plain, short))


def _shorter(one: list[str], other: list[str]) -> list[str]:
    """That of fewer parts; of as many parts, that of fewer characters."""
    return min((one, other), key=lambda parts: (len(parts), sum(len(part) for part in parts)))


def _losses(board: Board, lost: Mapping[int, Cells]) -> list[str]:
    """What the cells lose, by the digits that the same cells lose, or by the cells that lose the
    same digits."""
    cells_of: dict[int, list[int]] = {}
    for cell, digits in lost.items():
        for digit in digits:
            cells_of.setdefault(digit, []).append(cell)
    by_cells: dict[Cells, list[int]] = {}
    for digit in sorted(cells_of):
        by_cells.setdefault(tuple(cells_of[digit]), []).append(digit)
    return _shorter(
        [_loss(board, digits, cells) for cells, digits in by_cells.items()],
        [_loss(board, digits, cells) for digits, cells in _alike(lost).items()],
    )


def _loss(board: Board, digits: Sequence[int], cells: Sequence[int]) -> str:
    return f"no {either(digits)} in {cells_named(board, cells)}"


def _holdings(board: Board, kept: Mapping[int, Cells]) -> list[str]:
    """What the cells keep."""
    return [
        f"{cells_named(board, cells)} {_holds(digits, len(cells))} {either(digits)}"
        for digits, cells in _alike(kept).items()
    ]


def _holds(digits: Cells, cells: int) -> str:
    if cells == 1:
        return "is" if len(digits) == 1 else "holds"
    return "are" if len(digits) == 1 else "hold"


def _alike(digits_of: Mapping[int, Cells]) -> dict[Cells, list[int]]:
    """The cells that have the same digits."""
    found: dict[Cells, list[int]] = {}
    for cell, digits in digits_of.items():
        found.setdefault(digits, []).append(cell)
    return found


def told(units: Units, said: Said) -> str:
    """Why a clue does not allow candidates: `else r3c3 would be cut off from r1c1`."""
    names = ["the edge" if cell < 0 else units.board.name_of(cell) for cell in said.cells]
    digit, label, *_ = (*map(units.digit_of, said.candidates), 0, 0)
    numbers = {"number": said.number, "digit": digit, "label": label}
    return REASONS[said.about].format(*names, all=listed(names), **numbers)


REASONS = {
    "cut off": "else {0} would be cut off from {1}",
    "out of reach": "{0} would be cut off from {1}",
    "few": "else {0} would be in a part of {number} at most",
    "small": "{0} is in a part of {number} at most",
    "many": "{number} are known",
    "far": "too far from {0}, which reaches {number} at most",
    "none": "else {all} would break it",
    "edge": "else {0} and {1}, or it and {2}, would be cut off along the edge",
    "named": "the region with {digit} in {0} has label {label}",
    "only": "region {label} has no other place for {digit} than {0}",
    "once": "region {label} has {digit} in {0}",
}


def in_turn(phrases: Sequence[str]) -> str:
    """The consequences of a chain as one text, which never starts with "and"."""
    return ", ".join(phrases).removeprefix("and ")


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


def consequences(
    units: Units,
    named: Sequence[Unit],
    live: Mask,
    true: Sequence[int],
    cases: Sequence[int] = (),
) -> tuple[str, ...]:
    """The consequences of the candidates left and the true candidates, by the named units alone.

    There is one phrase per forced digit, in the order of propagation. The last phrase names the
    unit that has nothing left or does not allow a true candidate. If propagation does not reach
    one, it strikes `cases`, each of which leads to a contradiction, as far as there are any; then
    it names candidates of which one must be true, though each leads to a contradiction.
    """
    phrases: list[str] = []
    done = 0
    known, cases = list(true), list(cases)
    groups = [unit for unit in named if unit.candidates]
    clues = [unit for unit in named if unit.sentence]
    reasons: dict[int, str] = {}  # why a clue struck a candidate
    if units.is_local:
        seen = {group & live for clue in clues for group in clue.own_groups}
        known += (left.bit_length() - 1 for left in sorted(seen) if left and not left & left - 1)
    while True:
        for candidate in known[done:]:
            live &= ~_excluded(units, named, candidate)
        done = len(known)
        if units.is_local:
            live = _removed(units, clues, mask_of(known), live, reasons)
        while gone := union(clue.unsupported(live) for clue in clues if not clue.is_local):
            live &= ~gone
        empty = [unit for unit in groups if not unit.candidates & live]
        if empty:
            why = _why(units, empty[0].cells[0], reasons) if empty[0].digit is None else ""
            return (*phrases, _nothing_left(empty[0]) + (f" ({why})" if why else ""))
        if broken := _broken(units, named, known, live, reasons):
            return (*phrases, broken)
        if empty := [clue for clue in clues if not all(live & group for group in clue.own_groups)]:
            return (*phrases, _no_combination(units, empty[0], live, reasons))
        opened = _opened(groups, clues, mask_of(known), live)
        forced = [(unit, left) for unit, left in opened if left.bit_count() == 1]
        if forced:
            known += _forced(units, forced, reasons, phrases)
        elif cases:
            case = cases.pop(0)
            if live >> case & 1:
                live &= ~(1 << case)
                phrases.append(f"{units.name(case, '≠')} (else a contradiction)")
        else:
            return (*phrases, *_no_way_out(units, [left for _, left in opened]))


def _forced(
    units: Units,
    forced: Sequence[tuple[Unit, Mask]],
    reasons: dict[int, str],
    phrases: list[str],
) -> list[int]:
    """The first of the forced candidates, with the others that clues force for the same reason; a
    phrase says so, or a longer last phrase."""
    decided = list(dict.fromkeys(left.bit_length() - 1 for _, left in forced))
    why = _why(units, decided[0] // units.size, reasons)
    same = [c for c in decided if why and _why(units, c // units.size, reasons) == why]
    same = same or decided[:1]
    names, end = ", ".join(map(units.name, same)), f" ({why or _place(forced[0][0])})"
    if why and phrases and phrases[-1].endswith(end):
        names = f"{phrases.pop().removesuffix(end)}, {names}"
    phrases.append(names + end)
    return same


def _removed(
    units: Units, clues: Sequence[Unit], true: Mask, live: Mask, reasons: dict[int, str]
) -> Mask:
    """What is left after the clues have struck candidates, up to the first that decides a cell;
    `reasons` takes why."""
    while True:
        removal = next(_useful(clues, live), None)
        if removal is None:
            return live
        clue, found = removal
        live &= ~found.struck
        why = f"{told(units, found.said)}, {clue.label}" if found.said else clue.label
        reasons.update(dict.fromkeys(bits(found.struck), why))
        size = units.size
        cells = {candidate // size for candidate in bits(found.struck)}
        lefts = (live >> size * cell & (1 << size) - 1 for cell in cells)
        if any(not left & left - 1 for left in lefts):
            return live


def _why(units: Units, cell: int, reasons: dict[int, str]) -> str:
    """Why clues struck candidates of the cell, as far as they have told."""
    group = range(units.size * cell, units.size * cell + units.size)
    return "; ".join(dict.fromkeys(reasons[c] for c in group if c in reasons))


def _no_combination(units: Units, clue: Unit, live: Mask, reasons: dict[int, str]) -> str:
    """That a clue has nothing left; for which cell, if one has told why."""
    lowest = next(group & -group for group in clue.own_groups if not live & group)
    cell = (lowest.bit_length() - 1) // units.size
    if why := _why(units, cell, reasons):
        return f"nothing is left for {units.board.name_of(cell)} ({why})"
    return f"{clue.label} has no combination left"


def _useful(clues: Sequence[Unit], live: Mask) -> Iterator[tuple[Unit, Removal]]:
    """What the clues strike."""
    for clue in clues:
        for removal in clue.removals(live):
            yield clue, removal
        if lonely := clue.unsupported(live):
            yield clue, Removal(lonely, 0)


def _broken(
    units: Units,
    named: Sequence[Unit],
    known: Sequence[int],
    live: Mask,
    reasons: dict[int, str],
) -> str:
    """Which unit does not allow which of the true candidates; empty if all are still possible."""
    true = mask_of(known)
    for candidate in bits(true & ~live):
        if candidate in reasons:
            return f"{units.name(candidate, '≠')} ({reasons[candidate]})"
        excluding = {unit for unit, others in units.rivals[candidate] if others & true}
        for unit in named:
            if unit.number in excluding or unit.unsupported(live | 1 << candidate) >> candidate & 1:
                return f"{unit.label} does not allow {units.name(candidate)}"
    return ""


def _opened(
    groups: Sequence[Unit], clues: Sequence[Unit], true: Mask, live: Mask
) -> list[tuple[Unit, Mask]]:
    """The units that need one more true candidate, with those that it may be."""
    opened = [(unit, unit.candidates & live) for unit in groups if not unit.candidates & true]
    for clue in clues:
        opened += ((clue, group & live) for group in clue.own_groups if not group & true)
        for candidate, others in clue.supports:
            if true >> candidate & 1 and not others & true:
                opened.append((clue, others & live))
    return opened


def _excluded(units: Units, named: Sequence[Unit], candidate: int) -> Mask:
    numbers = {unit.number for unit in named}
    struck = 0
    for unit, others in units.rivals[candidate]:
        if unit in numbers:
            struck |= others
    return struck


def _no_way_out(units: Units, opened: Sequence[Mask]) -> tuple[str, ...]:
    if not opened:
        return ()
    names = listed(units.name(candidate) for candidate in bits(min(opened, key=int.bit_count)))
    return (f"and each of {names} leads to a contradiction",)


def _only(unit: Unit) -> str:
    if unit.digit is None:
        return f"the only {unit.holds} left in {unit.label}"
    return f"the only place for {unit.digit} in {unit.label}"


def _place(unit: Unit) -> str:
    return "last in its cell" if unit.family == "cell" else unit.label


def _nothing_left(unit: Unit) -> str:
    if unit.digit is None:
        return f"{unit.label} has no {unit.holds} left"
    return f"{unit.label} has no place left for {unit.digit}"


def _subset_words(units: Units, finding: Finding, named: Sequence[Unit]) -> str:
    cells = listed(units.board.name_of(cell) for cell in finding.cells)
    digits = listed(units.board.digits[digit] for digit in finding.digits)
    house = named[-1].label
    if finding.technique.startswith("naked"):
        return f"{cells} hold only {digits} ({finding.technique} in {house})"
    return f"{digits} have no place in {house} but {cells} ({finding.technique})"


def _overlap_words(state: State, finding: Finding, named: Sequence[Unit]) -> str:
    """The words for a group whose candidates all exclude the same candidates by other units."""
    group, *others = named
    left = tuple(bits(state.left(group)))
    by = listed(unit.label for unit in others)
    if group.digit is None:
        digits = listed(map(state.units.digit_of, left))
        return f"{group.label} holds one of {digits}, and each excludes the same ({by})"
    places = listed(state.units.board.name_of(c // state.units.size) for c in left)
    start = f"{group.label} has {group.digit} only in {places}"
    if len(others) == 1 and others[0].digit == group.digit:
        return f"{start}, all of {others[0].label} ({finding.technique})"
    return f"{start}, and each excludes the same ({by})"


def _chain_words(state: State, finding: Finding, named: Sequence[Unit]) -> str:
    assert finding.refuted is not None
    first = 1 << finding.refuted
    phrases = chain_of(state, finding)
    clues = [unit.label for unit in named if unit.sentence]
    by = f" (by {listed(clues)})" if clues else ""
    words = f"{exclusions(state.units, first)}: otherwise {in_turn(phrases)}{by}"
    also = finding.struck & ~first
    return f"{words}; by the same units {exclusions(state.units, also)}" if also else words


def chain_of(state: State, finding: Finding) -> tuple[str, ...]:
    """The consequences of the candidate that a search refuted, phrase by phrase; else empty."""
    if finding.refuted is None:
        return finding.chain
    named = [state.units.all[unit] for unit in finding.units]
    return consequences(state.units, named, state.live, [finding.refuted], finding.cases)
