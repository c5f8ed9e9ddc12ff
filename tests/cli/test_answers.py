"""Time limits that all commands keep to."""

from __future__ import annotations

import pytest
from command_cases import UNDECIDED
from process_groups import processor_seconds


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        (["count", "." * 256, "--timeout", "0.2", *UNDECIDED], (1, [">=0"])),
        (["count", "." * 256, "--timeout", "0.2", "--limit", "9", *UNDECIDED], (1, [">=0"])),
        (["fewest", "--timeout", "0.2", *UNDECIDED], (1, [])),
        (["fewest", "." * 256, "--timeout", "0.2", "-q", *UNDECIDED], (1, ["unknown"])),
        (["rate", "." * 256, "--limit", "0.2", *UNDECIDED], (1, ["unknown"])),
    ],
)
def test_time_limits_hold_where_nothing_is_found(lines_of, arguments, answer):
    start = processor_seconds()
    assert lines_of(*arguments)[:2] == answer
    assert processor_seconds() - start < 20
