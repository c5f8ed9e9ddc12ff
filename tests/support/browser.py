"""A real browser and a real server for the tests of the page.

Chromium is headless and keeps nothing: its profile, its downloads and its settings lie in a
temporary folder. It may reach this machine alone: every other name leads nowhere.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

WIDE, TELEPHONE = (1280, 900), (390, 844)
PROGRAMS = {"chromium": "SATDOKU_CHROMIUM", "chromedriver": "SATDOKU_CHROMEDRIVER"}


class Surfing(NamedTuple):
    """A browser, the folder of its downloads, and the address of the page."""

    driver: Any
    folder: Path
    address: str


def needed() -> None:
    """Skips the test where a browser, its driver or what drives it is missing."""
    for name, variable in PROGRAMS.items():
        if _program(name) is None:
            pytest.skip(f"no {name}: install it, or set {variable} to its path")
    pytest.importorskip("selenium", reason="no selenium: pip install 'satdoku[test]'")
    pytest.importorskip("uvicorn", reason="no uvicorn: pip install 'satdoku[web]'")


def _program(name: str) -> str | None:
    return os.environ.get(PROGRAMS[name]) or shutil.which(name)


@contextmanager
def served(*options: str) -> Iterator[str]:
    """`satdoku serve` on a port of its own: the address of its page."""
    command = [sys.executable, "-P", "-m", "satdoku", "serve", "--port", "0", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield next(word for word in server.stdout.readline().split() if "://" in word)
        finally:
            server.terminate()


@contextmanager
def chromium(folder: Path, size: tuple[int, int] = WIDE) -> Iterator[Any]:
    """A browser that saves in `folder`/downloads and logs its console and its requests."""
    from selenium.webdriver import Chrome, ChromeOptions
    from selenium.webdriver.chrome.service import Service

    downloads = folder / "downloads"
    downloads.mkdir()
    options = ChromeOptions()
    options.binary_location = str(_program("chromium"))
    for argument in (
        "--headless=new",
        "--no-sandbox",  # tests in containers run as root
        "--disable-dev-shm-usage",
        "--disable-gpu",
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
        f"--window-size={size[0]},{size[1]}",
        f"--user-data-dir={folder / 'profile'}",
    ):
        options.add_argument(argument)
    options.add_experimental_option("prefs", {"download.default_directory": str(downloads)})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = Chrome(options=options, service=Service(_program("chromedriver")))
    try:
        yield driver
    finally:
        driver.quit()
