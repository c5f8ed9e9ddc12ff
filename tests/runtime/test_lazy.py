"""Attributes that are made when they are first read."""

import threading

import pytest

from satdoku.runtime import limits
from satdoku.runtime.lazy import cached_property


class Thing:
    """Its value is a list, made after a look at the clock."""

    def __init__(self):
        self.made = 0

    @cached_property
    def value(self):
        """What it is."""
        limits.check()
        self.made += 1
        return [self.made]


def test_an_attribute_is_made_once_for_each_object():
    one, other = Thing(), Thing()
    assert one.value is one.value and one.value is not other.value
    assert (one.made, other.made) == (1, 1)
    assert Thing.value.__doc__ == "What it is."


def test_what_fails_is_tried_again():
    thing = Thing()
    with pytest.raises(limits.OutOfTime), limits.within(-1):
        thing.value  # noqa: B018
    assert thing.value == [1]


def test_a_thread_that_rests_in_one_holds_up_no_other():
    wanted, found = threading.Event(), []

    def resting():
        limits.rest_until(wanted)
        found.append(Thing().value)

    rester = threading.Thread(target=resting, daemon=True)
    rester.start()
    other = threading.Thread(target=lambda: found.append(Thing().value), daemon=True)
    other.start()
    other.join(10)
    assert found == [[1]] and rester.is_alive()
    wanted.set()
    rester.join(10)
    assert found == [[1], [1]]
