"""Sets as bits: there and back."""

from hypothesis import given
from hypothesis import strategies as st

from satdoku.model.masks import bits, mask_of


@given(st.sets(st.integers(0, 15_624)))
def test_a_mask_has_its_members_ascending(members):
    assert [*bits(mask_of(members))] == sorted(members)
    assert mask_of([*members, *members]) == mask_of(members) == sum(1 << k for k in members)
