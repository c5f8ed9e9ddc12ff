"""A permutation group, found by search and kept as a chain of transversals.

Invariant: a group is known without a list of its elements. Let G_i be the elements that fix the
points 0..i-1. Level i holds one element of G_i for each point to which G_i can move i, and every
element of the group is the product of one from each level, in one way only (Sims 1970). So the
order is a product of lengths, and a uniform random element is a random choice at each level.

A permutation p is an array of images: point i goes to p[i].
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.intp]
Options = Callable[[list[int]], Iterable[int]]
Accept = Callable[[Points], bool]


@dataclass(frozen=True, eq=False)
class Chain:
    """The group; level i is an array (length of the orbit, points) of permutations."""

    points: int
    levels: tuple[Points, ...]

    @property
    def order(self) -> int:
        """Number of elements."""
        return prod(map(len, self.levels))

    def random(self, rng: np.random.Generator) -> Points:
        """A uniformly random element."""
        product = np.arange(self.points)
        for level in reversed(self.levels):
            product = level[rng.integers(len(level))][product]
        return product

    def elements(self) -> Points:
        """All elements, (order, points). Look at the order first."""
        products = np.arange(self.points)[None]
        for level in reversed(self.levels):
            products = level[:, products].reshape(-1, self.points)
        return products


def trivial(points: int) -> Chain:
    """The group that has only the identity."""
    return Chain(points, (np.arange(points)[None],))


def find_chain(points: int, options: Options, accept: Accept) -> Chain:
    """The group of all permutations that `accept` accepts; they must be a group.

    `options` gives the images that the next point may have if the first points have the given
    ones. It may give too many, but not too few.
    """
    generators: list[Points] = []
    levels: list[Points] = []
    for point in reversed(range(points)):
        orbit = _orbit(point, generators, points)
        dead: set[int] = set()
        for image in options(list(range(point))):
            if image in orbit or image in dead:
                continue
            found = _complete([*range(point), image], points, options, accept)
            if found is None:
                dead |= _orbit(image, generators, points).keys()
            else:
                generators.append(found)
                orbit = _orbit(point, generators, points)
        levels.append(np.array(list(orbit.values())))
    return Chain(points, tuple(reversed(levels)))


def _complete(images: list[int], points: int, options: Options, accept: Accept) -> Points | None:
    """A permutation that begins with these images, or None."""
    if len(images) == points:
        found = np.array(images)
        return found if accept(found) else None
    for image in options(images):
        found_ = _complete([*images, image], points, options, accept)
        if found_ is not None:
            return found_
    return None


def _orbit(point: int, generators: list[Points], points: int) -> dict[int, Points]:
    """Where the generators can move the point, each place with an element that does it."""
    reached = {point: np.arange(points)}
    queue = [point]
    for at in queue:
        for generator in generators:
            image = int(generator[at])
            if image not in reached:
                reached[image] = generator[reached[at]]
                queue.append(image)
    return reached
