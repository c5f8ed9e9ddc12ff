"""Every command takes rules that only a session answers, or refuses them in one line."""

from __future__ import annotations

import pytest

from satdoku.cli.commands import SUMMARIES

SHADED = "layer=shade:0-1;connected=0:shade;connected=1:shade;no-square=0:shade;no-square=1:shade"
YIN_YANG = f"shape=6x6;{SHADED}"
LOW = "shape=6x6;connected=1,2,3,4"
SMALL = {YIN_YANG: f"shape=4x4;{SHADED}", LOW: "shape=4x4;connected=1,3"}
SOLVED = "164352325461536214412536251643643125"
PUZZLE = f"{SOLVED[:14]}.....{SOLVED[19:]}"
NO_ENGINE = "takes no layers or connected"

# The words of a command, and what it prints or why it refuses, under each of the two rule sets;
# @ is the puzzle, FILE a file that holds it, SMALL a puzzle of 4x4 under the small rules.
CASES = [
    ("solve @", SOLVED, SOLVED),
    ("check @", "unique", "unique"),
    ("count @", "1", "1"),
    ("count", NO_ENGINE, NO_ENGINE),
    ("enumerate @", SOLVED, SOLVED),
    ("candidates @", "5  3  6  2  1  4", "5 3 6 2 1 4"),
    ("propagate @", SOLVED, SOLVED),
    ("minimize @", "....", "...."),
    ("minimize --clues @", "shape=6x6;layer=shade:0-1", "classic"),
    ("suggest @ -n 1", "needed", "needed"),
    ("generate --seed 1", ".", "."),
    ("render @", "┌───", "┌───"),
    ("sheet @ -o sheet.pdf", "", ""),
    ("batch FILE", SOLVED, SOLVED),
    ("audit FILE", "Sound", "Sound"),
    ("clean FILE -o clean.csv", "", ""),
    ("augment FILE -o forms.csv", "", ""),
    ("split FILE --ratio 1:1 -o a.csv b.csv", "", ""),
    ("orbits @", "orbits: 1", "orbits: 1"),
    ("orbits", "expected a square board with digits 1-n", NO_ENGINE),
    ("explain @", "the only place for", "the only place for"),
    ("rate --scale mus @", "5 steps, 0 beyond singles", "5 steps, 0 beyond singles"),
    ("rate @", "hidden single; 5 hidden single", "hidden single; 5 hidden single"),
    ("fewest @", NO_ENGINE, NO_ENGINE),
    ("certify @", '"claim":"unique"', '"claim":"unique"'),
    ("export @", "p cnf", "p cnf"),
    ("export --format opb @", "#variable", "#variable"),
    ("export --format smtlib2 @", "(declare", "(declare"),
    ("export --format iss @", "layer", ".ConnectedValues~~1_2_3_4"),
    ("export --format sudokupad @", "layer", "connected"),
    ("export --format fpuzzles @", "layer", "connected"),
    ("export --format json @", "layer", "connected"),
    ("solve --dimacs-output @", "s SATISFIABLE", "s SATISFIABLE"),
    ("crosscheck SMALL --witnesses cadical153,minisat22,z3-enum,z3-bool", "agree", "agree"),
    ("fuzz SMALL --limit 2 --backends cadical153,plain,z3-enum", "all agree", "all agree"),
    ("fuzz --cases 1", "come with their own", "come with their own"),
]
WITHOUT_RULES = {"bench", "clues", "dataset", "decode", "encodings", "rules", "serve", "verify"}


def test_every_command_that_takes_rules_is_here():
    assert {words.split()[0] for words, *_ in CASES} == {*SUMMARIES} - WITHOUT_RULES


@pytest.mark.parametrize(("which", "rules"), [(0, YIN_YANG), (1, LOW)])
@pytest.mark.parametrize(("words", "said"), [(words, said) for words, *said in CASES])
def test_works_or_refuses_in_one_line(run, tmp_path, monkeypatch, words, said, which, rules):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "puzzles.txt").write_text(f"{PUZZLE}\n")
    stands = {"@": PUZZLE, "FILE": "puzzles.txt", "SMALL": "1234" + 12 * "."}
    name, *more = (stands.get(word, word) for word in words.split())
    chosen = SMALL[rules] if "SMALL" in words else rules
    code, out, err = run(name, "--rules", chosen, *more)
    assert "Traceback" not in err
    if code in (0, 1, 10):
        assert said[which] in out
    else:
        assert code == 2
        last = err.splitlines()[-1]
        assert last.startswith("satdoku: ")
        assert said[which] in last


@pytest.mark.parametrize("digits", ["", "digits=0-4;"])
def test_witnesses_agree_on_layers_of_more_values_than_digits(run, digits):
    """In houses they ask for the digits of the board, not for as many as a layer has."""
    witnesses = "cadical153,z3-int-distinct,z3-bitvec,z3-enum,z3-bool,z3-bool-pb,z3-dimacs"
    rules = f"shape=4x4;{digits}layer=double:0-1;layer=worth:0-8;formula=digit*(1+double):worth"
    rules += ";sum=8:worth.r2c2"
    code, out, err = run(
        "crosscheck", "1".ljust(16, "."), "--rules", rules, "--witnesses", witnesses
    )
    assert code == 0 and "witnesses agree" in out + err
