"""Puzzles as pictures: SVG for pages and papers, PNG, and text for the terminal.

Invariant: a picture is plain text of its arguments: the same arguments give the same bytes, nothing
is loaded, nothing runs.

What all of them take:
    puzzle      text, a `Grid`, or digits; what stands in it is drawn as given
    rules       a rule set; its region borders, diagonals and windows are drawn, the rest named
    solution    a grid whose digits stand, in another colour, where nothing is given
    candidates  for each cell the digits to write small where there is no other
    highlights  what to colour: a kind -> cells (0-based), and candidates as pairs (cell, digit)
Kinds of highlights:
    house       the cells that are looked at
    reason      why: cells, or candidates that remain
    conclusion  what follows: the digit that goes in
    eliminated  what cannot be: struck out
    conflict    what contradicts
"""

from __future__ import annotations

from .picture import KINDS, Highlights, RenderError
from .png import render_png
from .svg import render_svg
from .terminal import render_terminal, wants_colour

__all__ = [
    "KINDS",
    "Highlights",
    "RenderError",
    "render_png",
    "render_svg",
    "render_terminal",
    "wants_colour",
]
