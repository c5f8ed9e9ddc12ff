"""One application with its workers serves all tests of a process."""

import pytest
from web_client import page


@pytest.fixture(scope="session")
def web():
    with page() as opened:
        yield opened
