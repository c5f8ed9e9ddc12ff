"""The command `candidates`: each cell's digits over all solutions."""

from command_cases import NONE


def test_candidates_are_a_row_a_line(run):
    lines = ["1    2    34   34", "34   34   12   12", "234  134  1234 1234", "234  134  1234 1234"]
    assert run("candidates", "12" + "." * 14) == (0, "\n".join(lines) + "\n", "")
    assert run("candidates", NONE)[0] == 1
