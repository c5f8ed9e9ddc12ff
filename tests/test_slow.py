"""The plan of the slow tests names their files, and times only of such files."""

import pytest
import slow
from hypothesis import settings
from soak import share


def test_times_are_those_of_files_with_slow_tests():
    files = slow.slow_files()
    assert set(slow.stored_times()) <= set(files)
    assert files["ratings/reference/test_rating.py"] == files["model/test_grid.py"] == ""
    assert files["traces/test_traces.py"] == "slow" and "files/test_sniff.py" not in files


@pytest.mark.parametrize(("profile", "cases"), [("quick", [3, 5, 20]), ("soak", [3, 20, 100])])
def test_a_share_of_the_cases_is_all_of_them_in_the_profile_for_soaks(profile, cases):
    before = settings.get_current_profile_name()
    settings.load_profile(profile)
    try:
        assert [share(number) for number in (3, 20, 100)] == cases
    finally:
        settings.load_profile(before)


def test_the_plan_adds_up_what_is_known():
    plan = slow.plan_of(["a.py", "b.py", "c.py"], {"a.py": 61, "b.py": 3600})
    assert plan.splitlines() == [
        "  1:01  a.py",
        " 60:00  b.py",
        "   ?    c.py",
        " 61:01  3 files, 1 of them not measured yet",
    ]


def test_a_covering_has_each_value_of_each_parameter_once_at_least():
    sizes, names = [4, 6, 9], ["a", "b", "c", "d"]
    cases = [{"size": size, "name": name} for size in sizes for name in names]
    kept = [cases[number] for number in slow.covering(cases)]
    assert len(kept) == 4
    assert {case["size"] for case in kept} == {*sizes}
    assert {case["name"] for case in kept} == {*names}
    assert slow.covering(cases) == slow.covering(cases)


@pytest.mark.covering
@pytest.mark.parametrize("first", [1, 2, 3])
@pytest.mark.parametrize("second", ["x", "y", "z"])
def test_a_case_of_a_covering(first, second, request):
    marked = request.node.get_closest_marker("slow") is not None
    assert marked == ((first, second) not in [(1, "x"), (2, "y"), (3, "z")])
