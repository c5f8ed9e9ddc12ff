"""The command `crosscheck`: who agrees with whom."""

import sys

from examples import CLASSIC


def test_crosscheck_of_one_witness_or_none_agrees_with_nobody(run):
    empty = "." * 81
    few = ("--rules", "miracle", "--witnesses", "z3-int-distinct,z3-bitvec", "--timeout", "0.01")
    code, out, _ = run("crosscheck", empty, *few)
    assert (code, out.splitlines()[-1]) == (1, "no witness finished: nothing to compare")
    code, out, _ = run("crosscheck", "." * 16, "--witnesses", "glucose4")
    assert (code, out.splitlines()[-1]) == (1, "1 witness finished: nothing to compare")


def test_crosscheck_agrees(run):
    code, out, _ = run("crosscheck", "." * 16, "--limit", 3, "--witnesses", "cadical153,glucose4")
    lines = out.splitlines()
    assert code == 0
    assert [line.split()[:3] for line in lines[1:3]] == [
        ["cadical153", "multiple", ">=3"],
        ["glucose4", "multiple", ">=3"],
    ]
    assert lines[3] == "all 2 finished witnesses agree"


def test_crosscheck_refuses_what_is_not_installed_before_it_asks_anything(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "pycosat", None)
    code, out, err = run("crosscheck", CLASSIC, "--witnesses", "plain,pycosat")
    assert (code, out) == (2, "")
    assert err == "satdoku: pycosat is not installed (pip install pycosat)\n"


def test_crosscheck_takes_the_names_of_fuzz_and_asks_all_that_are_installed(run):
    names = ["plain", "engine-numpy", "glucose4/log", "triads"]
    code, out, _ = run("crosscheck", "1".ljust(16, "."), "--witnesses", ",".join(names))
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()[1:-1]] == names
    code, out, _ = run("crosscheck", "1234341221434321")
    assert code == 0
    asked = [line.split()[0] for line in out.splitlines()[1:-1]]
    assert {"plain", "engine-numpy", "lingeling", "z3-dimacs"} <= set(asked)
