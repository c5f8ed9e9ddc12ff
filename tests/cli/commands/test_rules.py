"""The command `rules`."""

import json

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


def test_the_rules_of_a_puzzle_in_words(run, file):
    code, out, _ = run("rules", "." * 81, "--rules", "knight;whisper:r1c1-r1c4")
    assert code == 0
    assert out.splitlines() == [
        "Place the digits 1 to 9 so that every row, column and box holds each digit once.",
        "Anti-knight: Cells a knight's move apart do not hold the same digit.",
        "German whisper: Neighbouring digits along the green line differ by at least 5.",
    ]
    assert run("rules", "--rules", "knight", "--clue", "whisper:r1c1-r1c4")[1] == out
    name = file(f"puzzle,rules\n{'.' * 81},knight\nx,\n{'.' * 16},\n", "rows.csv")
    code, out, err = run("rules", name)
    first, second = out.split("\n\n")
    assert code == 2 and "line 3" in err
    assert first.endswith("same digit.") and second.startswith("Place the digits 1 to 4")
    rows = [json.loads(line) for line in run("rules", name, "--json")[1].splitlines()]
    assert [len(row.get("words", ())) for row in rows] == [2, 0, 1]
    assert rows[0]["line"] == 2 and rows[0]["rules"] == "knight"


def test_the_words_of_a_link_are_its_setters(run):
    import satdoku

    row = "[{},{},{},{}],"
    link = f'{{"size":4,"grid":[{row * 3}{row[:-1]}],"ruleset":"Normal sudoku rules apply."}}'
    assert run("rules", link)[1] == "Normal sudoku rules apply.\n"
    constraints = satdoku.constraints_for("knight")
    puzzle = satdoku.Puzzle(satdoku.parse_grid("1" + "." * 80), constraints, words="Hop.")
    assert satdoku.rules_in_words(puzzle) == "Hop."
    assert satdoku.rules_in_words("." * 81, "knight").splitlines()[1].startswith("Anti-knight: ")
