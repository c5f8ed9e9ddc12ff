"""Boards beyond 25x25, to 256x256: numbers in and out, propagation first, then one SAT formula."""
