"""Puzzles as pictures: SVG for pages and papers, PNG, and text for the terminal.

Invariant: the same arguments give the same bytes. A picture loads nothing and runs nothing.

Arguments of all pictures:
    puzzle      whatever names one (see `satdoku.solve`); its digits are drawn as givens, its pencil
                marks as candidates
    rules       a rule set: region borders, diagonals, windows and clues at cells are drawn; other
                rules are named, and so are clues on the terminal
    solution    a grid; its digits fill the empty cells, in another colour
    candidates  for each cell the digits to write small, if it has no large one: the true
                candidates (`satdoku.candidates`), or what no given excludes (`pencil_marks`)
    highlights  what to colour: kind -> cells (0-based), or candidates as pairs (cell, digit)
    chains      links between candidates, chain by chain: each (cell, digit), what follows from it,
                and whether that holds (a solid arrow) or leaves (dashed); not on the terminal
    caption     paragraphs below the grid, a line of text each; not on the terminal
Digits are stated by their positions (from 1) among the board's: the digits themselves where these
are 1 to n. They are written as they are.

Kinds of highlights:
    house       the cells that a step looks at
    cover       lines across these, which a fish covers
    reason      why it holds: cells, or candidates that remain
    conclusion  what follows: the digit that goes in, ringed
    eliminated  what is excluded: struck out
    conflict    what contradicts
"""

from __future__ import annotations

from .picture import KINDS, Chains, Highlights, Link, RenderError
from .svg import render_png, render_svg
from .terminal import render_terminal, wants_colour

__all__ = [
    "KINDS",
    "Chains",
    "Highlights",
    "Link",
    "RenderError",
    "render_png",
    "render_svg",
    "render_terminal",
    "wants_colour",
]
