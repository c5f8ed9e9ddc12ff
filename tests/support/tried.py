"""The page docs/try as a build of the site lays it out, behind a server that hands out files alone.

Invariant: its files are those that `docs/site/tab.py` names and docs/try holds, unchanged.
"""

from __future__ import annotations

import importlib.util
import shutil
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parents[2] / "docs"
FOLDER = DOCS / "try"


def tab_module() -> Any:
    """docs/site/tab.py, which is in no package."""
    spec = importlib.util.spec_from_file_location("site_tab", DOCS / "site" / "tab.py")
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


class Quiet(SimpleHTTPRequestHandler):
    """Hands out files and says nothing."""

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def handed_out() -> Iterator[str]:
    """The address of the page."""
    tab = tab_module()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        shutil.copytree(FOLDER, folder / "try")
        for name, source in tab.taken():
            (folder / name).parent.mkdir(exist_ok=True)
            shutil.copy(source, folder / name)
        (folder / "try" / "names.json").write_text(tab.names())
        handler = partial(Quiet, directory=folder)
        with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            yield f"http://127.0.0.1:{server.server_port}/try/"
            server.shutdown()
