"""Where an array lies, for the extensions in C.

Invariant: C gets the address of an array that is contiguous and of the type that it reads there, or
nothing: a transposed copy has the same shape and other bytes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray


def address(array: NDArray[Any], dtype: DTypeLike = np.uint8) -> int:
    """The address of an array's bytes; raises `ValueError` if C would not read its values there."""
    if array.dtype != dtype or not array.flags.c_contiguous:
        found = f"array of {array.dtype}, strides {array.strides}"
        raise ValueError(f"{found}: expected contiguous {np.dtype(dtype)}")
    return int(array.ctypes.data)
