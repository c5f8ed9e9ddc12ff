"""One step of a solution as data for people and programs: the conclusion, its reasons, the words,
and what a picture shows of it.

Invariant: a step contains everything that a picture or a checker needs. It never refers to an
earlier step. Each link drawn of a rated step's chains is one of the record's, from a parent to the
node that follows from it, drawn once. Of many links, the longest chains keep the line from their
assumption to their end, and the notes say how many are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from ..model.board import Board, Cells, bits, mask_of
from ..model.constraints import constraints_for
from ..model.grid import Grid
from ..ratings.step import Step as Rated
from ..render.chains import labels
from ..runtime.lazy import cached_property
from .hints import Hint, hint_of
from .readings import Mask
from .units import Unit, union

Candidate = tuple[int, int]  # cell 0-based, digit from 1
Link = tuple[Candidate, Candidate, bool]  # from, to, and whether that holds then
Told = Mapping[tuple[int, bool], str]  # what is said of a node, by candidate and whether it holds
MOST = 26  # links of a picture with all of its chains' branches

UNBROKEN = "\N{NO-BREAK SPACE}"  # within a phrase, which a line should not break

OTHERWISE = ": otherwise "  # between a conclusion and what follows if it is wrong

ARROWS = "A solid arrow leads to what then holds, a dashed one to what then leaves."
TOGETHER = "Arrows with the same number lead there together."
PATTERN = "The chains within the chains are not drawn."
LINES = "{} of {} links are drawn: of long chains the main line, without the branches that join it."


class NodeLike(Protocol):
    """A consequence in a chain of either finder: a candidate, -1 for a contradiction, whether it
    holds, and the numbers of the nodes that it follows from."""

    @property
    def candidate(self) -> int: ...
    @property
    def holds(self) -> bool: ...
    @property
    def parents(self) -> tuple[int, ...]: ...


Strand = Sequence[NodeLike]  # from its end backwards


@dataclass(frozen=True)
class Pattern:
    """The pattern of a step. cells: those looked at; candidates: those that make the pattern, the
    nodes of chains too; chains: their links from the assumption on, as many as are drawn; notes: on
    what is drawn; links: all links, strand by strand. covers: the cells of the lines that a fish
    covers, while `cells` are those of its base; summed: the cells of a sum."""

    cells: Cells
    candidates: Mask
    chains: tuple[tuple[Link, ...], ...]
    notes: str
    links: tuple[tuple[Link, ...], ...] = ()
    covers: Cells = ()
    summed: Cells = ()


def pattern_of(rated: Rated, houses: Sequence[Cells], told: Sequence[Told] = ()) -> Pattern:
    """What to draw of a step; `houses` are the cells of the houses that it names, `told` what is
    said of the nodes of each strand."""
    cells = {cell for house in houses for cell in house}.union(rated.cells)
    if rated.placed is not None:
        cells.add(rated.placed // 9)
    digits = rated.digits or _digits(rated)
    nodes = [node for strand in rated.strands for node in strand]
    about = [9 * cell + digit - 1 for cell in rated.cells for digit in digits]
    about += [node.candidate for node in nodes]
    is_cycle = rated.technique.startswith("bidirectional")
    strands = rated.strands[:1] if is_cycle else rated.strands  # the second is the first backwards
    chains, total = _chains(strands, 9, prunes=not is_cycle)
    named = labels(chains)
    nests = any(node.cause == "pattern" for node in nodes)
    said = _said(chains, named, total, nests=nests)
    lines = [_line_of(*chain) for chain in zip(chains, named, told, strict=False) if chain[0]]
    notes = "\n".join([*lines, " ".join(said)]) if strands else ""
    links = tuple(tuple(_links(strand, 9, is_long=False)) for strand in rated.strands)
    return Pattern(tuple(sorted(cells)), mask_of(about), chains, notes, links)


def pattern_of_chain(nodes: Strand, told: Sequence[str], board: Board) -> Pattern | None:
    """What to draw of a chain from its assumption to a contradiction, which comes last; `told` is
    said of each node. None where some are in layers, over the same cells."""
    size, last = board.choices, len(nodes) - 1
    if any(node.candidate >= size * board.grid_cells for node in nodes):
        return None
    backwards = [
        _Turned(node.candidate, node.holds, tuple(last - parent for parent in node.parents))
        for node in reversed(nodes)
    ]
    chains, total = _chains([backwards], size, prunes=True)
    named, drawn = labels(chains), len(chains[0])
    said = " ".join(_said(chains, named, total))
    if drawn == total and drawn:
        says = {(n.candidate, n.holds): text for n, text in zip(nodes[:-1], told[:-1], strict=True)}
        line = _line_of(chains[0], named[0], says, size)
        said = f"{OTHERWISE[2:]}{line}; {told[-1]}\n{said}"
    cells = {node.candidate // size for node in nodes[:-1]}
    about = mask_of(node.candidate for node in nodes[:-1])
    links = (tuple(_links(backwards, size, is_long=False)),)
    return Pattern(tuple(sorted(cells)), about, chains, said if drawn else "", links)


def pattern_of_fish(units: Sequence[Unit], live: Mask, struck: Mask) -> Pattern | None:
    """What to draw of a digit whose places in some lines are all in as many lines across: those
    from which it is struck. None if that is not what the units say."""
    digits, families = {unit.digit for unit in units}, {unit.family for unit in units}
    if len(digits) != 1 or families != {"row", "column"}:
        return None
    hit = {unit.family for unit in units if unit.candidates & struck}
    bases = [unit for unit in units if unit.family not in hit]
    covers = [unit for unit in units if unit.family in hit]
    base = live & union(unit.candidates for unit in bases)
    if len(bases) != len(covers) or base & ~union(unit.candidates for unit in covers):
        return None
    cells = _cells_of(bases)
    across = tuple(cell for cell in _cells_of(covers) if cell not in cells)
    return Pattern(cells, base, (), "", covers=across)


def pattern_of_sum(basis: Sequence[Unit], summed: Cells) -> Pattern | None:
    """What to draw of a sum: its cells, on the houses and clues that it is made of."""
    return Pattern(_cells_of(basis), 0, (), "", summed=summed) if basis else None


def _cells_of(units: Sequence[Unit]) -> Cells:
    return tuple(sorted({cell for unit in units for cell in unit.cells}))


@dataclass(frozen=True)
class _Turned:
    """A node of a strand."""

    candidate: int
    holds: bool
    parents: tuple[int, ...]


def _said(
    chains: Sequence[Sequence[Link]],
    named: Sequence[Sequence[str]],
    total: int,
    *,
    nests: bool = False,
) -> list[str]:
    """What a reader of the arrows has to know."""
    drawn = sum(map(len, chains))
    return [
        ARROWS,
        *[TOGETHER] * any(len(set(names)) < len(names) for names in named),
        *[PATTERN] * nests,
        *[LINES.format(drawn, total)] * (drawn < total),
    ]


def _chains(
    strands: Sequence[Strand], size: int, *, prunes: bool
) -> tuple[tuple[tuple[Link, ...], ...], int]:
    """The links of each strand, less those of a strand before it; and how many there are if none of
    the longest strands is pruned. size: the candidates of a cell."""
    pruned: set[int] = set()
    total = 0
    while True:
        seen: dict[Link, None] = {}
        chains = []
        for number, strand in enumerate(strands):
            links = dict.fromkeys(_links(strand, size, number in pruned))
            chains.append(tuple(link for link in links if link not in seen))
            seen |= links
        total = total or len(seen)
        left = [number for number in range(len(strands)) if number not in pruned]
        if not prunes or len(seen) <= MOST or not left:
            return tuple(chains), total
        pruned.add(max(left, key=lambda number: len(chains[number])))


def _line_of(links: Sequence[Link], names: Sequence[str], told: Told, size: int = 9) -> str:
    """A chain in words, each of its candidates with the number of the arrows to it."""
    (begin, _, _), *_ = links
    first = next(filter(None, (told.get((_number(begin, size), holds)) for holds in (True, False))))
    steps = dict.fromkeys(
        f"{name} {told[_number(end, size), holds]}"
        for name, (_, end, holds) in zip(names, links, strict=True)
    )
    return "; ".join(phrase.replace(" ", UNBROKEN) for phrase in (first, *steps))


def _number(candidate: Candidate, size: int) -> int:
    cell, digit = candidate
    return size * cell + digit - 1


def _digits(rated: Rated) -> Sequence[int]:
    """The digits of a pattern whose record has none: what it places, or any."""
    return range(1, 10) if rated.placed is None else (rated.placed % 9 + 1,)


def _links(strand: Strand, size: int, is_long: bool) -> Iterator[Link]:
    """The links of a strand from its assumption on, or those of its main line."""
    numbers = _line(strand) if is_long else range(len(strand))
    for number in reversed(numbers):
        node = strand[number]
        if node.candidate < 0:
            continue
        for parent in node.parents[:1] if is_long else node.parents:
            begin, end = strand[parent].candidate, node.candidate
            yield _pair(begin, size), _pair(end, size), node.holds


def _line(strand: Strand) -> list[int]:
    """The numbers of the nodes from the end back to the assumption, by their first parents; of a
    contradiction from both that lead to it, if these are two."""
    ends = strand[0].parents if strand[0].candidate < 0 else ()
    line = {0}
    for number in ends if len(ends) == 2 else [0]:
        line.add(number)
        while parents := strand[number].parents:
            number = parents[0]
            line.add(number)
    return sorted(line)


def _pair(candidate: int, size: int) -> Candidate:
    cell, digit = divmod(candidate, size)
    return cell, digit + 1


def _draws_none() -> None:
    """A step without a pattern."""


@dataclass(frozen=True)
class Step:
    """A conclusion and the smallest explanation found for it.

    technique: `hidden single`, `pointing`, `naked pair`, `chain` ... units: the explanation; their
    number is the size of the step. words: one sentence. chain: the consequences that a search drew,
    phrase by phrase; empty for plain techniques. because: the cells of a cut, or whatever else a
    clue tells as the reason; then pictures show these alone. rating: on the scale of Sudoku
    Explainer, None for steps of smallest explanations. draws: makes the pattern, when a picture
    first asks for it.
    """

    technique: str
    units: tuple[Unit, ...]
    words: str
    chain: tuple[str, ...]
    board: Board = field(repr=False)
    solved: Grid = field(repr=False)  # the digits given, or placed before the step
    live: Mask = field(repr=False)  # candidates left before the step
    put: int | None = field(repr=False)
    struck: Mask = field(repr=False)
    because: Cells = ()
    rating: float | None = None
    draws: Callable[[], Pattern | None] = field(default=_draws_none, repr=False, compare=False)

    def __repr__(self) -> str:
        return f"<Step: {self.words}>"

    def __getstate__(self) -> dict[str, Any]:
        """The fields with the pattern: what draws it may hold a whole net."""
        return {**self.__dict__, "pattern": self.pattern, "draws": _draws_none}

    def _repr_html_(self) -> str:
        """The picture that a notebook shows: the candidates, what is used and what follows."""
        from ..render.markup import drawing

        plain = constraints_for("classic", self.board)
        return drawing(
            Grid(self.known, self.board), plain, self.caption, candidates=self.candidates,
            highlights=self.highlights, chains=self.links,
        )  # fmt: skip

    @cached_property
    def pattern(self) -> Pattern | None:
        """What pictures show instead of the units; None for steps of smallest explanations."""
        return self.draws()

    @property
    def size(self) -> int:
        """The number of units in the explanation."""
        return len(self.units)

    @property
    def placed(self) -> Candidate | None:
        """The digit that the step derives, as (cell, digit); None if it only eliminates."""
        return None if self.put is None else self._pair(self.put)

    @property
    def eliminated(self) -> tuple[Candidate, ...]:
        """The candidates that the step strikes: refuted, or excluded by the placed digit."""
        return tuple(map(self._pair, bits(self.struck)))

    @property
    def reasons(self) -> tuple[Candidate, ...]:
        """The candidates left in the units of the explanation: the ones a reader has to look at."""
        named = 0
        for unit in self.units:
            named |= unit.members & self.live
            for a, b in unit.pairs:
                named |= (1 << a | 1 << b) & self.live
        return tuple(map(self._pair, bits(named)))

    @property
    def reason_cells(self) -> Cells:
        """The cells of `reasons`, ascending."""
        return tuple(sorted({cell for cell, _ in self.reasons}))

    @property
    def highlights(self) -> dict[str, tuple[int | Candidate, ...]]:
        """Cells and candidates (cell, digit) to colour, by `render`'s kinds of highlight."""
        cells, reasons = tuple(sorted({c for unit in self.units for c in unit.cells})), self.reasons
        if self.because:
            cells, reasons = self.because, ()
        if self.pattern is not None:
            cells = self.pattern.cells
            reasons = tuple(map(self._pair, bits(self.pattern.candidates & self.live)))
        pattern = self.pattern
        return {
            "house": cells,
            "cover": pattern.covers if pattern else (),
            "reason": (*pattern.summed, *reasons) if pattern else reasons,
            "eliminated": self.eliminated,
            "conclusion": () if self.placed is None else (self.placed,),
        }

    @property
    def links(self) -> tuple[tuple[Link, ...], ...]:
        """The chains to draw, link by link; none if the step is not rated or has no chain."""
        return self.pattern.chains if self.pattern else ()

    @property
    def caption(self) -> str:
        """The words; below them, chain by chain, the candidates in order with the numbers of their
        arrows in a picture, and what it leaves out."""
        if not self.links:
            return self.words
        assert self.pattern is not None
        tells = self.pattern.notes.startswith(OTHERWISE[2:])
        if OTHERWISE in self.words and not tells:
            return f"{self.words}\n{self.pattern.notes}"
        start = self.words.partition(f": {self.chain[0]}")[0].partition(OTHERWISE)[0]
        return f"{start}\n{self.pattern.notes}"

    def hint(self, strength: int) -> Hint:
        """A hint to the step: 1 says where to look, 2 which technique as well, 3 is the step."""
        return hint_of(self, strength)

    @property
    def gone(self) -> tuple[Candidate, ...]:
        """The struck candidates of the explanation's groups and clues; the step needs that they are
        gone."""
        whole = union(unit.members for unit in self.units)
        return tuple(map(self._pair, bits(whole & ~self.live)))

    @property
    def candidates(self) -> tuple[frozenset[int], ...]:
        """For each cell, the digits left before the step."""
        n = self.board.choices
        return tuple(
            frozenset(d for d in range(1, n + 1) if self.live >> n * cell + d - 1 & 1)
            for cell in range(self.board.cells)
        )

    @property
    def known(self) -> bytes:
        """For each cell, its digit before the step, or 0: the only one left there, and left in no
        cell that shares a house with it."""
        left = self.candidates
        shown = {cell for links in self.links for link in links for cell, _ in link[:2]}
        shown.update(
            [self.placed[0]] if self.placed else []
        )  # as small digits, with what they tell
        return bytes(
            min(digits)
            if len(digits) == 1
            and cell not in shown
            and not any(digits & left[peer] for peer in self.board.peers[cell])
            else 0
            for cell, digits in enumerate(left)
        )

    def as_data(self) -> dict[str, Any]:
        """The step as plain values for JSON; cells by name, r1c1."""
        return {
            "technique": self.technique,
            **({} if self.rating is None else {"rating": self.rating}),
            "size": self.size,
            "placed": None if self.placed is None else self._named(self.placed),
            "eliminated": list(map(self._named, self.eliminated)),
            "reasons": {
                "units": [unit_data(unit, self.board) for unit in self.units],
                "cells": [self.board.name_of(cell) for cell in self.reason_cells],
                "candidates": list(map(self._named, self.reasons)),
                **(
                    {"because": [self.board.name_of(c) for c in self.because]}
                    if self.because
                    else {}
                ),
            },
            "words": self.words,
            "chain": list(self.chain),
            **({"links": self._links_named()} if self.pattern and self.pattern.links else {}),
        }

    def in_brief(self) -> dict[str, Any]:
        """The step as plain values without words; a candidate is its number from 0, cell by cell,
        `choices * cell + digit - 1`. units: label and digit of each; links, if there are chains:
        from, to, and whether that holds then."""
        links = self.pattern.links if self.pattern else ()
        n = self.board.choices
        told = [
            [[n * a + d - 1, n * b + e - 1, holds] for (a, d), (b, e), holds in s] for s in links
        ]
        return {
            "technique": self.technique,
            **({} if self.rating is None else {"rating": self.rating}),
            "placed": self.put,
            "eliminated": list(bits(self.struck)),
            "units": [[unit.label, unit.digit] for unit in self.units],
            **({"links": told} if links else {}),
        }

    @property
    def state(self) -> tuple[int, ...]:
        """For each cell, the digits left before the step, as bits: digit d is bit d - 1."""
        n, mask = self.board.choices, (1 << self.board.choices) - 1
        return tuple(self.live >> n * cell & mask for cell in range(self.board.cells))

    def _links_named(self) -> list[list[dict[str, Any]]]:
        assert self.pattern is not None
        return [
            [
                {"from": self._named(a), "to": self._named(b), "holds": holds}
                for a, b, holds in strand
            ]
            for strand in self.pattern.links
        ]

    def _pair(self, candidate: int) -> Candidate:
        cell, digit = divmod(candidate, self.board.choices)
        return cell, digit + 1

    def _named(self, candidate: Candidate) -> dict[str, Any]:
        return candidate_data(candidate, self.board)


def candidate_data(candidate: Candidate, board: Board) -> dict[str, Any]:
    """A candidate as plain values for JSON."""
    cell, digit = candidate
    (digits,) = board.domains((cell,))
    return {"cell": board.name_of(cell), "digit": digits[digit - 1]}


def unit_data(unit: Unit, board: Board) -> dict[str, Any]:
    """A unit as plain values for JSON."""
    return {
        "rule": unit.family,
        "label": unit.label,
        "digit": unit.digit,
        "cells": [board.name_of(cell) for cell in unit.cells],
        "words": unit.words,
    }
