"""The command `rules`."""

from satdoku.model.rules import ALIASES, BOARDS, RULES


def test_rules_lists_every_rule_and_alias(run):
    code, out, _ = run("rules")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines() if line[0] != " "] == [
        *RULES,
        *BOARDS,
        *ALIASES,
    ]


def test_rules_tells_what_people_call_them(run):
    lines = run("rules")[1].splitlines()
    at = next(place for place, line in enumerate(lines) if line.startswith("windoku"))
    assert lines[at + 1] == f"{'':16}Windoku, windows, hyper sudoku, four-box, NRC"
