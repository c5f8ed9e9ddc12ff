"""The net of a rule set in Python: what follows from the candidates left, and why.

Invariant: the C program (`c/net.h`) gives the same nodes, one for one. A chain that is returned
starts from one supposed literal, each later node follows from its parents by the one unit that it
names, and the last node is a contradiction.

Propagation goes in rounds, the same everywhere: what the true candidates exclude, in the order in
which they became true; groups with one candidate left, by number; what clues no longer allow, by
number; groups again. Of a clue's parents those are kept that it needs, cell by cell, the latest
left out first.

By cases, candidates in groups with few left are supposed too, one by one, where propagation from
the first literal ends; one that leads to a contradiction is false, and propagation goes on.

A forcing chain joins links: a link leads from one literal to what one round of propagation draws
from it alone. (Sudoku Explainer's static chains are those without clues; its nodes, too, are a
candidate, whether it holds, and what it follows from.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from itertools import count
from typing import NamedTuple, TypeVar

from ...model.board import bits, mask_of
from ...runtime.lazy import cached_property
from ..readings import Mask, Sequence
from ..units import Support, Unit, Units, union
from .segments import Summed, joint_of, stated_sums, sums_that_follow

EVER = 1 << 30  # rounds
SUPPOSED = -1  # in place of the unit of a node
MOST_CHAINS = 12  # that are told of one state
MOST_BY_CASES = 3  # of them where cases are asked
MOST_DRAWN = 20_000_000  # nodes of all cases that are asked of one state
OF_CASE = 100  # as many nodes as it takes to begin one
KEPT = 50_000  # answers of clues that a net remembers


class Node(NamedTuple):
    """A consequence. candidate: -1 for the contradiction; unit: the number of the unit by which it
    follows, `SUPPOSED` for the first. parents: numbers of earlier nodes, ascending; the two of a
    contradiction say that a candidate holds and does not. case: of a candidate that is false as it
    leads to a contradiction, what follows from it, up to that; these nodes count on from the number
    of this one, its parents are theirs before it, and its unit is `SUPPOSED`."""

    candidate: int
    holds: bool
    unit: int
    parents: tuple[int, ...]
    case: tuple[Node, ...] = ()


Chain = tuple[Node, ...]
Literal = tuple[int, bool]


def cost_of(chain: Chain, start: int = 0) -> tuple[int, int]:
    """How long a chain is to follow, from a node on: what becomes true, and times that a clue
    strikes; then all nodes."""
    strikes = set()
    cost, nodes = 0, len(chain) - start
    for number in range(start, len(chain) - 1):
        node = chain[number]
        cost += node.holds
        if is_strike(chain, node):
            strikes.add((node.unit, node.parents))
        if node.case:
            more, beside = cost_of(with_case(chain, number), number)
            cost, nodes = cost + more, nodes + beside
    return cost + len(strikes), nodes


def with_case(chain: Chain, number: int) -> Chain:
    """What there is before a node, then its case: the numbers of parents are theirs."""
    return chain[:number] + chain[number].case


def is_strike(chain: Chain, node: Node) -> bool:
    """Whether a clue strikes the candidate because of others that are false: what is true excludes
    by itself, as the only parent."""
    if node.holds or node.unit == SUPPOSED:
        return False
    return not (node.parents and chain[node.parents[0]].holds)


class Part(NamedTuple):
    """A part of the rules that a net reads at once: what candidates need, one automaton, a sum, or
    two groups that overlap.

    unit: the number of the clue's unit; of sums and overlaps a number beyond those of the units,
    and named: the units that they need, label: in words. outside: what each of two groups has
    beside the overlap; if nothing is left there, the other group has nothing beside it, either.
    """

    unit: int
    members: Mask
    supports: tuple[Support, ...] = ()
    reading: Sequence | None = None
    of_sum: Summed | None = None
    outside: tuple[Mask, Mask] | None = None
    named: tuple[int, ...] = ()
    label: str = ""

    def struck(self, live: Mask) -> Mask:
        """The candidates of `live` that it no longer allows."""
        if self.reading is not None:
            return self.reading.impossible(live)
        if self.of_sum is not None:
            return self.of_sum.struck(live)
        if self.outside is not None:
            one, other = self.outside
            return (0 if live & one else live & other) | (0 if live & other else live & one)
        gone, more = 0, -1
        while more:
            more = mask_of(c for c, o in self.supports if live >> c & 1 and not o & live)
            gone |= more
            live &= ~more
        return gone


def stated_parts(units: Units) -> Iterator[Part]:
    """The parts of clues, in the order of these, and not those that are no automata; then the sums
    that clues state."""
    for unit in units.supporting:
        if unit.supports:
            members = mask_of(c for c, _ in unit.supports)
            members |= union(others for _, others in unit.supports)
            yield Part(unit.number, members, unit.supports)
        for reading in unit.readings:
            if isinstance(reading, Sequence):
                yield Part(unit.number, reading.members, reading=reading)
    beyond = count(len(units.all))
    for said in stated_sums(units):
        yield Part(next(beyond), said.members, of_sum=said, named=said.units, label=said.label)


def parts_of(units: Units, *, is_joint: bool = False) -> Iterator[Part]:
    """Those that clues state, then sums that follow, and overlaps; is_joint: then houses with the
    sums in them."""
    stated = tuple(stated_parts(units))
    yield from stated
    beyond = count(len(units.all) + sum(part.of_sum is not None for part in stated))
    for said in sums_that_follow(units):
        yield Part(next(beyond), said.members, of_sum=said, named=said.units, label=said.label)
    for a, b in units.constraints.overlaps:
        one, other = units.all[a], units.all[b]
        first, second = one.candidates, other.candidates
        outside = first & ~second, second & ~first
        label = " and ".join(sorted((one.label, other.label)))
        yield Part(next(beyond), first | second, outside=outside, named=(a, b), label=label)
    for said in joint_of(units) if is_joint else ():
        yield Part(next(beyond), said.members, of_sum=said, named=said.units, label=said.label)


class Reader:
    """What the parts of clues strike."""

    def __init__(self, units: Units, parts: Iterable[Part]) -> None:
        self.units, self.parts = units, tuple(parts)
        self._beyond = {part.unit: part for part in self.parts if part.named}
        self._struck = lru_cache(KEPT)(self._read)

    def named(self, unit: int) -> tuple[int, ...]:
        """The units that stand behind the number of one, of a sum or of an overlap."""
        part = self._beyond.get(unit)
        return part.named if part else (unit,)

    def label(self, unit: int) -> str:
        """A unit, a sum or an overlap in words."""
        part = self._beyond.get(unit)
        return part.label if part else self.units.all[unit].label

    def struck(self, part: int, live: Mask) -> Mask:
        """The candidates of `live` that a part of a clue no longer allows."""
        return self._struck(part, live & self.parts[part].members)

    def _read(self, part: int, live: Mask) -> Mask:
        return self.parts[part].struck(live)


class Net(Reader):
    """Groups, exclusions and clues, for propagation; of clues those that read digits in order."""

    def __init__(self, units: Units, *, is_joint: bool = False) -> None:
        super().__init__(units, parts_of(units, is_joint=is_joint))

    @cached_property
    def overlaps(self) -> dict[int, Part]:
        """The parts that are two groups, by their units."""
        return {part.unit: part for part in self.parts if part.outside}

    @cached_property
    def parts_at(self) -> list[list[int]]:
        """For each candidate the numbers of the parts of which it is a member."""
        found: list[list[int]] = [[] for _ in self.units.rivals]
        for number, part in enumerate(self.parts):
            for candidate in bits(part.members):
                found[candidate].append(number)
        return found

    def refute(self, live: Mask, tried: Mask, rounds: int = EVER) -> list[Chain]:
        """Contradictions that follow within the rounds from one of the candidates tried, those of
        least effort: nodes drawn; the shortest first, then by candidate."""
        searches = (Search(self, live, (c, True), rounds) for c in bits(tried))
        found = _easiest((len(search.nodes), search) for search in searches if search.clash)
        return sorted((search.chain() for search in found), key=cost_of)

    def by_cases(self, live: Mask, tried: Mask, few: int) -> list[Chain]:
        """Contradictions of the candidates tried by cases in groups of at most so many candidates;
        the shortest first. Those from which most follows are tried first, and no more than
        `MOST_BY_CASES` are looked for, nor much more drawn than `MOST_DRAWN`."""
        chains: list[Chain] = []
        drawn = 0
        reach = {c: len(Search(self, live, (c, True), EVER).nodes) for c in bits(tried & live)}
        for candidate in sorted(reach, key=lambda c: (-reach[c], c)):
            if drawn >= MOST_DRAWN or len(chains) == MOST_BY_CASES:
                break
            search = Search(self, live, (candidate, True), EVER)
            drawn += search.ask(few, MOST_DRAWN - drawn)
            if search.clash:
                chains.append(search.chain())
        return sorted(chains, key=cost_of)

    def chains(self, live: Mask, tried: Mask) -> list[Chain]:
        """Forcing chains from the candidates tried, true or false, those of least effort: literals
        met; the shortest first, then by candidate, a true one first."""
        links = Links(self, live)
        literals = ((candidate, holds) for candidate in bits(tried) for holds in (True, False))
        asked = ((links.chain(literal), literal) for literal in literals)
        found = _easiest((met, literal) for (met, _), literal in asked if met)
        return sorted((links.chain(literal)[1]() for literal in found), key=cost_of)


T = TypeVar("T")


def _easiest(found: Iterable[tuple[int, T]]) -> list[T]:
    """Those of least effort, in their order."""
    every = list(enumerate(found))
    kept = sorted(every, key=lambda pair: (pair[1][0], pair[0]))[:MOST_CHAINS]
    return [one for _, (_, one) in sorted(kept, key=lambda pair: pair[0])]


WEAK, GROUP, CLUE, BOTH, CASE = "weak", "group", "clue", "both", "case"


class Drawn(NamedTuple):
    """A consequence as a search draws it. rule: how it follows; at: the parent of a weak one, the
    candidate of a contradiction of two; of a clue's strike the number of nodes that there were when
    it was read. part: of the clue."""

    candidate: int
    holds: bool
    unit: int
    rule: str
    at: int = 0
    part: int = 0


class Search:
    """Propagation from one literal, up to a contradiction (`clash`) or a number of rounds."""

    def __init__(self, net: Net, live: Mask, supposed: Literal, rounds: int) -> None:
        self.net, self.units, self.live = net, net.units, live
        self.nodes: list[Drawn] = []
        self.numbers: dict[Literal, int] = {}
        self.gone: Mask = 0
        self.clash: Drawn | None = None
        self._cases: dict[int, Chain] = {}  # what follows from candidates that are false by that
        self._follow(Drawn(*supposed, SUPPOSED, ""), rounds)

    def ask(self, few: int, most: int) -> int:
        """Suppose candidates of groups with at most so many left, and draw what follows if they
        cannot be; again while any is found, up to so many nodes. How many it took."""
        drawn, is_new = 0, True
        while is_new:
            is_new = False
            for candidate in bits(self.live):
                if self.clash or drawn >= most:
                    return drawn
                if self._is_of_few(candidate, few):
                    before = len(self.numbers)
                    drawn += self._ask(candidate)
                    is_new |= len(self.numbers) > before
        return drawn

    def _is_of_few(self, candidate: int, few: int) -> bool:
        """Whether it is undecided, and was before, in a group with few left."""
        if self.gone >> candidate & 1 or (candidate, True) in self.numbers:
            return False
        groups = [self.units.all[g].candidates for g in self.units.groups_at[candidate]]
        if any((group & self.live).bit_count() == 1 for group in groups):
            return False
        left = self.live & ~self.gone
        return any((group & left).bit_count() <= few for group in groups)

    def _ask(self, candidate: int) -> int:
        """Suppose a candidate; if that cannot be, it is false. How many nodes it took."""
        mark = len(self.nodes)
        self._follow(Drawn(candidate, True, SUPPOSED, ""), EVER)
        case = self.needed(self.clash, mark=mark) if self.clash else ()
        drawn = OF_CASE + len(self.nodes) - mark
        for node in self.nodes[mark:]:
            del self.numbers[node.candidate, node.holds]
            self.gone &= -1 if node.holds else ~(1 << node.candidate)
        del self.nodes[mark:]
        self.clash = None
        if case:
            self._cases[mark] = case
            self._follow(Drawn(candidate, False, SUPPOSED, CASE), EVER)
        return drawn

    def _follow(self, first: Drawn, rounds: int) -> None:
        """Add a node, and draw what follows."""
        self._add(first)
        number = len(self.nodes) - 1
        pending, fresh = ([number], 0) if first.holds else ([], 1 << first.candidate)
        for _ in range(rounds):
            before = self.gone & ~fresh
            for number in pending:
                self._exclude(number)
            by_houses = self.gone & ~before
            pending = self._forced(by_houses)
            fresh = self._read(by_houses)
            pending += self._forced(fresh)
            if self.clash or not (pending or fresh):
                return

    def _add(self, node: Drawn) -> None:
        """Add a new node; it is a contradiction if the opposite is known."""
        self.numbers[node.candidate, node.holds] = len(self.nodes)
        self.nodes.append(node)
        if not node.holds:
            self.gone |= 1 << node.candidate
        if self.clash is None and (node.candidate, not node.holds) in self.numbers:
            denied = self.nodes[self.numbers[node.candidate, False]]
            self.clash = Drawn(-1, False, denied.unit, BOTH, node.candidate)

    def _exclude(self, number: int) -> None:
        """What a true candidate excludes."""
        for unit, others in self.units.rivals[self.nodes[number].candidate]:
            for other in bits(others & self.live & ~self.gone):
                self._add(Drawn(other, False, unit, WEAK, number))

    def _forced(self, fresh: Mask) -> list[int]:
        """The last candidates left in groups that have lost some of `fresh`, as nodes."""
        forced = []
        touched = {group for candidate in bits(fresh) for group in self.units.groups_at[candidate]}
        for group in sorted(touched):
            left = self.units.all[group].candidates & self.live & ~self.gone
            if self.clash is None and not left:
                self.clash = Drawn(-1, False, group, GROUP)
            if left and not left & left - 1 and (left.bit_length() - 1, True) not in self.numbers:
                forced.append(len(self.nodes))
                self._add(Drawn(left.bit_length() - 1, True, group, GROUP))
        return forced

    def _read(self, fresh: Mask) -> Mask:
        """What clues strike that have lost candidates of `fresh`."""
        touched = {part for candidate in bits(fresh) for part in self.net.parts_at[candidate]}
        before = self.gone
        for part in sorted(touched):
            count, unit = len(self.nodes), self.net.parts[part].unit
            for candidate in bits(self.net.struck(part, self.live & ~self.gone)):
                self._add(Drawn(candidate, False, unit, CLUE, count, part))
        return self.gone & ~before

    def chain(self) -> Chain:
        """The nodes that the contradiction needs, in order, and itself."""
        assert self.clash is not None
        return self.needed(self.clash)

    def link(self, literal: Literal) -> Chain:
        """The nodes that the literal needs, in order, and itself."""
        return self.needed(self.nodes[self.numbers[literal]], self.numbers[literal])

    def needed(self, end: Drawn, number: int | None = None, mark: int = 0) -> Chain:
        """The nodes that one needs, from some number on, in order, and that one."""
        last = len(self.nodes) if number is None else number
        parents = {last: self._parents(end, last, 1 << max(end.candidate, 0))}
        needed = set(parents[last])
        for here in range(last - 1, mark - 1, -1):
            if here in needed and here not in parents:
                node = self.nodes[here]
                alike = [here]
                if node.rule == CLUE:  # struck at once, for the same reason
                    alike = [n for n in needed if self.nodes[n][2:] == node[2:]]
                found = self._parents(node, here, mask_of(self.nodes[n].candidate for n in alike))
                parents.update(dict.fromkeys(alike, found))
                needed.update(found)
        order = [*range(mark), *sorted(n for n in needed if n >= mark)]
        place = {here: new for new, here in enumerate(order)}
        return tuple(
            Node(
                node.candidate,
                node.holds,
                node.unit,
                tuple(place[p] for p in parents[here]),
                self._case(here, place),
            )
            for here, node in [*((n, self.nodes[n]) for n in order[mark:]), (last, end)]
        )

    def _case(self, number: int, place: dict[int, int]) -> Chain:
        """What follows from a candidate that is false by that, with the new numbers."""
        return tuple(
            node._replace(
                parents=tuple(
                    place[p] if p < number else place[number] + p - number for p in node.parents
                )
            )
            for node in self._cases.get(number, ())
        )

    def _parents(self, node: Drawn, number: int, struck: Mask) -> tuple[int, ...]:
        """The nodes from which it follows, ascending."""
        if node.rule == WEAK:
            return (node.at,)
        if node.rule == BOTH:
            return tuple(sorted(self.numbers[node.at, holds] for holds in (True, False)))
        if node.rule == CLUE:
            return self._kept(node, struck)
        if node.rule == CASE:
            met = {parent for inner in self._cases[number] for parent in inner.parents}
            return tuple(sorted(parent for parent in met if parent < number))
        if node.rule == GROUP:
            others = self.units.all[node.unit].candidates & self.live
            others &= ~(1 << node.candidate) if node.holds else -1
            return tuple(sorted(self._false(others, number)))
        return ()

    def _false(self, candidates: Mask, before: int) -> Iterator[int]:
        """The nodes that say of the candidates, before some node, that they are false."""
        for candidate in bits(candidates & self.gone):
            if (number := self.numbers[candidate, False]) < before:
                yield number

    def _kept(self, node: Drawn, struck: Mask) -> tuple[int, ...]:
        """The false candidates that a clue needs to strike some, cell by cell."""
        kept = set(self._false(self.net.parts[node.part].members & self.live, node.at))
        cells: dict[int, list[int]] = {}
        for number in sorted(kept, reverse=True):
            cells.setdefault(self.nodes[number].candidate // self.units.size, []).append(number)
        for numbers in cells.values():
            fewer = kept.difference(numbers)
            gone = mask_of(self.nodes[n].candidate for n in fewer)
            if not struck & ~self.net.struck(node.part, self.live & ~gone):
                kept = fewer
        return tuple(sorted(kept))


class Links:
    """What each literal implies within one round, and the chains that these links make."""

    def __init__(self, net: Net, live: Mask) -> None:
        self.net, self.live = net, live
        self._searches: dict[Literal, Search] = {}

    def _search(self, literal: Literal) -> Search:
        if literal not in self._searches:
            self._searches[literal] = Search(self.net, self.live, literal, 1)
        return self._searches[literal]

    def chain(self, start: Literal) -> tuple[int, Callable[[], Chain]]:
        """The contradiction that comes first if links are followed in the order in which they are
        met: a literal that is one by itself, a candidate that is true and false, an empty group.
        How many literals are met, and what makes the chain; (0, _) if there is none."""
        came: dict[Literal, Literal] = {start: start}
        gone: Mask = 0 if start[1] else 1 << start[0]
        waiting = [start]
        for literal in waiting:  # it grows
            search = self._search(literal)
            if search.clash:
                return len(came), partial(self._joined, came, [literal], search.chain)
            for candidate, holds, *_ in search.nodes[1:]:
                if (candidate, holds) in came:
                    continue
                came[candidate, holds] = literal
                waiting.append((candidate, holds))
                if (candidate, not holds) in came:
                    both = [(candidate, True), (candidate, False)]
                    return len(came), partial(self._joined, came, both)
                gone |= 0 if holds else 1 << candidate
                if not holds and (group := self._empty(candidate, gone)):
                    left = bits(group.candidates & self.live)
                    ends = [(c, False) for c in left]
                    return len(came), partial(self._joined, came, ends, group=group.number)
        return 0, tuple

    def _empty(self, candidate: int, gone: Mask) -> Unit | None:
        groups = (self.net.units.all[group] for group in self.net.units.groups_at[candidate])
        return next((g for g in groups if not g.candidates & self.live & ~gone), None)

    def _joined(
        self,
        came: dict[Literal, Literal],
        ends: list[Literal],
        end: Callable[[], Chain] | None = None,
        group: int = SUPPOSED,
    ) -> Chain:
        """The links to the ends as one chain, with the nodes of each; then the contradiction: that
        of `end`, which starts from the one literal, or that of the ends."""
        needed = set()
        for literal in ends:
            while literal not in needed:
                needed.add(literal)
                literal = came[literal]
        nodes: list[Node] = []
        numbers: dict[Literal, int] = {}
        for literal in came:
            if literal in needed:
                _join(nodes, numbers, self._search(came[literal]).link(literal))
        if end:
            _join(nodes, numbers, end())
        else:
            found = tuple(sorted(numbers[literal] for literal in ends))
            denied = nodes[numbers[ends[0][0], False]].unit
            nodes.append(Node(-1, False, denied if group == SUPPOSED else group, found))
        return _pruned(nodes)


def _join(nodes: list[Node], numbers: dict[Literal, int], link: Chain) -> None:
    """Add what is new in the link."""
    place: list[int] = []
    for candidate, holds, unit, parents, _ in link:
        if (candidate, holds) not in numbers:
            numbers[candidate, holds] = len(nodes)
            nodes.append(Node(candidate, holds, unit, tuple(sorted({place[p] for p in parents}))))
        place.append(numbers[candidate, holds])


def _pruned(nodes: list[Node]) -> Chain:
    """Without what the last does not need."""
    needed = {len(nodes) - 1}
    for number in range(len(nodes) - 1, -1, -1):
        if number in needed:
            needed.update(nodes[number].parents)
    place = {number: new for new, number in enumerate(sorted(needed))}
    return tuple(
        nodes[n]._replace(parents=tuple(place[p] for p in nodes[n].parents)) for n in place
    )
