"""The C extension; `native` says what the arguments mean."""

from array import array

class Loaded: ...  # a capsule

def load(variables: int, clauses: array[int], /) -> Loaded: ...
def check(
    loaded: Loaded, extra: array[int], proof: array[int], budget: int, /
) -> tuple[int, int]: ...
