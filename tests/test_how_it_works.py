"""The numbers in docs/HOW_IT_WORKS.md are those of the code."""

from pathlib import Path

from clause_counts import clauses_as_written

from satdoku.answers.session import DEFAULT_RECYCLE
from satdoku.cnf.encodings import encode
from satdoku.counting.cubes import CUBES, NODES
from satdoku.engine.single import NODE_BUDGET
from satdoku.model.constraints import constraints_for
from satdoku.symmetry.group import MAX_LISTED

PAGE = (Path(__file__).parent.parent / "docs" / "HOW_IT_WORKS.md").read_text()
WORDS = " ".join(PAGE.split())


def test_the_sizes_are_those_of_the_constraints_and_of_the_encoding():
    classic, knight = constraints_for(), constraints_for("knight")
    (moves,) = (family.pairs for family in knight.families if family.name == "knight")
    written, clauses = clauses_as_written(classic), len(encode(classic).clauses)
    for words in (
        f"There are {classic.variables} candidates",
        f"There are {len(classic.groups)} groups",
        f"adds {len(moves):,} forbidden pairs, one for each of {len(moves) // 9} pairs of cells",
        f"of which {len(knight.pairs):,} are in no group",
        f"make {written:,} clauses",
        f"so {written - clauses:,} binary clauses occur twice, and {clauses:,} remain",
    ):
        assert words in WORDS, words


def test_the_limits_are_those_of_the_code():
    for words in (
        f"rebuilds it every {DEFAULT_RECYCLE:,} queries",
        f"more than {NODE_BUDGET:,} nodes",
        f"at most {MAX_LISTED:,} cell permutations",
        f"If a layer has {CUBES:,} puzzles or more",
        f"more than {NODES:,} nodes is split again",
    ):
        assert words in WORDS, words
