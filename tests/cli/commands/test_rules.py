"""The command `rules`."""

from satdoku.model.rules import ALIASES, BOARDS, RULES


def test_rules_lists_every_rule_and_alias(run):
    code, out, _ = run("rules")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()] == [
        *RULES,
        *BOARDS,
        *ALIASES,
    ]
