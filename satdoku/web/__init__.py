"""The page: setting and solving in a browser, with the engine behind it (docs/PAGE.md).

Invariant: the page asks, worker processes answer, and this process only passes on; so a question
that is given up, however it runs, ends with its process.

    satdoku.serve()                    # prints the address, until Ctrl-C
    app = create_app("127.0.0.1:8000", token)    # for a server of your own

Needs the extra `web` (starlette, uvicorn).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .app import create_app
    from .server import serve

__all__ = ["create_app", "serve"]

_HOME = {"create_app": "app", "serve": "server"}


def __getattr__(name: str) -> Any:
    """What needs the extra is imported on first use."""
    if name not in _HOME:
        raise AttributeError(f"module 'satdoku.web' has no attribute '{name}'")
    from importlib import import_module

    return getattr(import_module(f".{_HOME[name]}", __name__), name)
