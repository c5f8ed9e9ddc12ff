"""The plan of the slow tests names their files, and times only of such files."""

import slow


def test_times_are_those_of_files_with_slow_tests():
    files = slow.slow_files()
    assert set(slow.stored_times()) <= set(files)
    assert "ratings/reference/test_rating.py" in files and "model/test_grid.py" not in files


def test_the_plan_adds_up_what_is_known():
    plan = slow.plan_of(["a.py", "b.py", "c.py"], {"a.py": 61, "b.py": 3600})
    assert plan.splitlines() == [
        "  1:01  a.py",
        " 60:00  b.py",
        "   ?    c.py",
        " 61:01  3 files, 1 of them not measured yet",
    ]
