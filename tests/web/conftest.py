"""One application with its workers serves all tests of a process."""

import pytest
from browser import Surfing, chromium, needed, served
from web_client import page


@pytest.fixture(scope="session")
def web():
    with page() as opened:
        yield opened


@pytest.fixture(scope="session")
def surfing(tmp_path_factory):
    """A browser and a server of its own."""
    needed()
    folder = tmp_path_factory.mktemp("browser")
    with served() as address, chromium(folder) as driver:
        yield Surfing(driver, folder / "downloads", address)
