"""The trimming in Python keeps what the C code keeps, to the byte."""

from __future__ import annotations

from itertools import chain
from random import Random

import pytest
from proof_cases import pigeons, refutations

from satdoku.certificates.make import refute
from satdoku.certificates.proof import parse_drat
from satdoku.certificates.proof.formula import flat
from satdoku.certificates.trim import reference

_trim = pytest.importorskip("satdoku.certificates.trim._trim")


def both(clauses, text):
    variables = max(map(abs, chain.from_iterable(clauses)))
    arguments = variables, flat(clauses), parse_drat(text), 10**9, lambda: None
    return [module.trim(*arguments) for module in (_trim, reference)]


def test_both_keep_the_same():
    random = Random(3)
    for clauses, text in refutations(random, 80):
        compiled, plain = both(clauses, text)
        assert compiled == plain
        assert compiled is not None


def spoilt(random, lines):
    """Lines lost, doubled, shortened and negated."""
    for line in lines:
        words = line.split()
        chance = random.random()
        if chance < 0.1 and len(words) > 2:
            words.pop(-2)
        elif chance < 0.2 and words[0] not in ("d", "0"):
            words[0] = str(-int(words[0]))
        if chance < 0.9:
            yield " ".join(words)
        if chance > 0.95:
            yield line


def test_both_refuse_the_same():
    random, kept = Random(4), set()
    for clauses, text in refutations(random, 120):
        compiled, plain = both(clauses, "\n".join([*spoilt(random, text.splitlines()), ""]))
        assert compiled == plain
        kept.add(compiled is None)
    assert kept == {True, False}


def test_both_ask_whether_to_go_on():
    class Enough(Exception):
        pass

    def stop():
        raise Enough

    clauses = pigeons(8)
    arguments = 72, flat(clauses), parse_drat(refute(clauses)), 10**9, stop
    for module in (_trim, reference):
        with pytest.raises(Enough):
            module.trim(*arguments)
