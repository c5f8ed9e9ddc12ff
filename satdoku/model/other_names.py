"""The usual names of kinds of clues, rules and boards: how they are compared and searched, and the
messages about names that nothing has.

Invariant: a usual name stands in the definition of what it names, under `called`, and nowhere else.
None is read as a clue or a rule: names only lead people to what is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol, TypeVar

from ..runtime.errors import LONGEST_NAME, no_such

_AREAS = "no word says it: state it by a layer and kinds such as connected (docs/LAYERS.md)"

# A name, and why no rule and no clue says it.
UNSTATED = {
    "fog": "it hides clues and says nothing of the solution: leave it out",
    "yin-yang": _AREAS,
    "nurikabe": _AREAS,
    "cave": _AREAS,
    "heyawake": _AREAS,
    "star-battle": _AREAS,
    "snake": _AREAS,
    "galaxies": _AREAS,
}
# Words that people add to a name; a search drops them if nothing has all words.
FILLERS = ("sudoku", "clue", "constraint", "rule", "variant", "line")
_FEW = 3  # definitions that a message names


class Definition(Protocol):
    """A kind, a rule or a word for the board, with its usual names: first the title, as published
    puzzles put it; each with `=` and what it means there unless that is the whole definition."""

    @property
    def name(self) -> str: ...

    @property
    def called(self) -> tuple[str, ...]: ...


Defined = TypeVar("Defined", bound=Definition)


class UsualName(NamedTuple):
    """What people call something, and what a rule set says for it: `whisper=5`."""

    text: str
    means: str


def usual_names(of: Definition) -> Iterator[UsualName]:
    """All of a definition, the title first; without one, its own name is the title."""
    for called in of.called or (of.name.replace("-", " ").capitalize(),):
        text, _, means = called.partition("=")
        yield UsualName(text, means or of.name)


def title_of(of: Definition, *meanings: str) -> str:
    """What published puzzles call it, or the part of it that has one of these meanings."""
    named = (usual.text for usual in usual_names(of) if usual.means in meanings)
    return next(named, next(usual_names(of)).text)


def folded(text: str) -> str:
    """Words as they are compared: small letters and digits, no plurals, one blank between two."""
    words = re.sub(r"[^a-z0-9]+", " ", re.sub("['’]", "", text.lower())).split()
    return " ".join(re.sub(r"(?<=x)es$|(?<=\w\w[^s])s$", "", word) for word in words)


def found(
    definitions: Iterable[Defined], query: str, text: Callable[[Defined], str]
) -> list[Defined]:
    """The definitions that a search finds, the best first; all of them if the query is empty.

    text: of a definition, what may be searched besides its names. Every word of the query begins a
    word there, or all of them together begin a name.
    """
    known = list(definitions)
    words = folded(query).split()
    plain = [word for word in words if word not in FILLERS]
    return _ranked(known, words, text) or (_ranked(known, plain, text) if plain else [])


def _ranked(
    definitions: Iterable[Defined], words: Sequence[str], text: Callable[[Defined], str]
) -> list[Defined]:
    ranks = [(_rank(words, of, text(of)), of) for of in definitions]
    return [of for rank, of in sorted(ranks, key=lambda pair: pair[0]) if rank < _UNFOUND]


_UNFOUND = 4


def _rank(words: Sequence[str], of: Definition, text: str) -> int:
    """0 for a name, 1 for the beginning of one, 2 for beginnings of its words, 3 for beginnings of
    words of the text and of several names."""
    known = [folded(name) for name in (of.name, *(usual.text for usual in usual_names(of)))]
    joined, squeezed = "".join(words), [name.replace(" ", "") for name in known]
    if joined in squeezed:
        return 0
    if any(name.startswith(joined) for name in squeezed):
        return 1
    if any(_begin_words(words, name) for name in known):
        return 2
    return 3 if _begin_words(words, " ".join([*known, folded(text)])) else _UNFOUND


def _begin_words(words: Iterable[str], text: str) -> bool:
    return all(f" {word}" in f" {text}" for word in words)


def unknown(what: str, name: str, known: Iterable[str], definitions: Sequence[Definition]) -> str:
    """The message for a name that is no `what` ("rule", "kind"): what it may mean, or why not."""
    squeezed, cut = folded(name).replace(" ", ""), name[:LONGEST_NAME]
    for word, reason in UNSTATED.items():
        if folded(word).replace(" ", "") == squeezed:
            return f"no {what} '{cut}': {reason}"
    if meant := list(_meant(squeezed, folded(name).split(), definitions)):
        return f"no {what} '{cut}': did you mean {_listed(meant)}?"
    return no_such(what, name, sorted(known))


def _listed(words: Sequence[str]) -> str:
    """`a, b or c`."""
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def _meant(squeezed: str, words: list[str], definitions: Sequence[Definition]) -> Iterator[str]:
    """What a name may mean, each with its title: all that are called so, or else the few of which
    a name has all of its words."""
    names = [(usual, of) for of in definitions for usual in usual_names(of)]
    exact = [pair for pair in names if folded(pair[0].text).replace(" ", "") == squeezed]
    close = [pair for pair in names if words and _begin_words(words, folded(pair[0].text))]
    meant = dict.fromkeys((usual.means, title_of(of, usual.means)) for usual, of in exact or close)
    if len(meant) <= _FEW or exact:
        for means, title in meant:
            yield means if title.lower() == means else f"{means} ({title})"
