"""Facts about the whole package for its parts: its version, and its drawing function for notebooks.

Invariant: nothing of satdoku is imported here, so every part may import this module. The package
sets `svg` when it is imported, which is before any of its parts.
"""

from __future__ import annotations

TYPE_CHECKING = False  # `typing` takes milliseconds, which a command has better use for
if TYPE_CHECKING:
    from collections.abc import Callable

VERSION = "0.3.0"

svg: Callable[..., str]  # an SVG element; its arguments are those of `satdoku.render_svg`
