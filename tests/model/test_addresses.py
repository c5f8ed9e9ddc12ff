"""Addresses of arrays, and of no others than C can read."""

import numpy as np
import pytest

from satdoku.model.addresses import address

TABLE = np.arange(6, dtype=np.uint16).reshape(2, 3)


def test_what_c_can_read_has_an_address():
    assert address(TABLE, np.uint16) == TABLE.ctypes.data
    assert address(TABLE[1:], np.uint16) == TABLE.ctypes.data + 6
    address(np.zeros((0, 9), np.uint8))


@pytest.mark.parametrize(
    "array", [TABLE.T, TABLE[:, ::2], TABLE.astype(np.uint8), TABLE.astype(">u2"), TABLE[:, :2]]
)
def test_all_else_is_refused(array):
    with pytest.raises(ValueError, match="expected contiguous uint16"):
        address(array, np.uint16)
