"""A record whose set or house is not in the state is refused. The sentences themselves are tested
with those of the other techniques, in test_named_words."""

from dataclasses import replace

import pytest
from scenes import scene

from satdoku.explain.unique_words import grave, loop
from satdoku.runtime.errors import WitnessError

CORNERS = ["r1c1", "r1c9", "r2c1", "r2c9"]


@pytest.mark.parametrize(("level", "error"), [(3, "its set is not found"), (4, "other places")])
def test_a_loop_without_its_set_or_house_is_refused(level, error):
    step = scene("unique rectangle", struck=["r1c1=1"], cells=CORNERS[:2], digits=(1, 2))
    step.rated = replace(step.rated, level=level)
    with pytest.raises(WitnessError, match=error):
        loop(step)


def test_what_is_no_grave_is_refused():
    with pytest.raises(WitnessError, match="no grave"):
        grave(scene("BUG", cells=["r1c1"], digits=(1,)))
