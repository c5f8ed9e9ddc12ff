"""Ranks that hold in a grid."""

KINDS = "full-rank", "shared-rank"
WORDS = [f"{sign}{line}{at}" for sign in ("", "-") for line in ("row", "col") for at in range(1, 5)]


def lines_of(grid, n):
    rows = [grid[n * r : n * r + n] for r in range(n)]
    lines = {"row": rows, "col": [bytes(column) for column in zip(*rows, strict=True)]}
    return {
        f"{sign}{word}{number}": line[:: -1 if sign else 1]
        for sign in ("", "-")
        for word, each in lines.items()
        for number, line in enumerate(each, 1)
    }


def true_clues(rng, grid, n, count):
    """Ranks of so many lines of a grid; lines that are not alone have shared ones."""
    lines = lines_of(grid, n)
    every = sorted(lines.values())
    for word in rng.sample(sorted(lines), count):
        kind = rng.choice(KINDS[every.count(lines[word]) > 1 :])
        yield f"{kind}={every.index(lines[word]) + 1}:{word}"
