"""The command `enumerate`: each solution once."""

from command_cases import NONE


def test_enumerate_prints_each_solution_once(run, four_by_four):
    code, out, _ = run("enumerate", "." * 16)
    assert code == 0
    assert sorted(out.split()) == sorted("".join(map(str, grid)) for grid in four_by_four)
    code, out, _ = run("enumerate", "." * 16, "--limit", 5)
    assert (code, len(set(out.split()))) == (0, 5)
    assert run("enumerate", NONE) == (1, "", "")
