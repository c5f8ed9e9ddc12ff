"""Fixtures that several test modules share."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import soak
from examples import fill
from hypothesis import HealthCheck, settings
from slow import covering

from satdoku.answers.session import close_sessions
from satdoku.cli import main
from satdoku.engine.targets import NUMPY, active

# How long an example takes says how busy the machine is: no test fails for that.
QUIET = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("quick", max_examples=soak.QUICK, **QUIET)
settings.register_profile("soak", max_examples=soak.WHOLE, **QUIET)
settings.load_profile("quick")

# A shell that starts the tests in the background ignores Ctrl-C for them, and so for every command
# that they start and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collectstart() -> None:
    """Thousands of tests are collected, none of which becomes garbage soon."""
    gc.disable()


def pytest_collection_finish() -> None:
    """From here on the garbage collector looks at what the tests make, and only that."""
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of a test marked as `covering` the quick suite runs some cases, `-m slow` all the others; one
    marked as `compiled` needs the kernel."""
    if active() == NUMPY:
        for item in items:
            if item.get_closest_marker("compiled"):
                item.add_marker(pytest.mark.skip(reason="takes minutes without the kernel"))
    tests: dict[object, list[pytest.Function]] = {}
    for item in items:
        if isinstance(item, pytest.Function) and item.get_closest_marker("covering"):
            tests.setdefault(item.function, []).append(item)
    for cases in tests.values():
        quick = [case for case in cases if not case.get_closest_marker("slow")]
        kept = covering([case.callspec.params for case in quick])
        for number, case in enumerate(quick):
            if number not in kept:
                case.add_marker(pytest.mark.slow)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One worker more than processors: many tests wait for processes, pipes and time limits."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes() -> None:
    """Workers and a thousand commands import the same modules. Where bytecode is forbidden, each of
    them would compile these again, a fifth of all the time."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


@pytest.fixture(autouse=True, scope="session")
def _state_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The key of journals lies in a folder of the tests, not in that of whoever runs them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        yield


@pytest.fixture(autouse=True)
def _fresh_sessions() -> None:
    """Reset shared sessions: clauses learnt in one test must not help another test's budget."""
    close_sessions()


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Run a command in this process: (exit code, stdout, stderr)."""

    def call(*arguments: object) -> tuple[int, str, str]:
        code = main([str(argument) for argument in arguments])
        return (code, *capsys.readouterr())

    return call


@pytest.fixture
def file(tmp_path: Path) -> Callable[..., str]:
    """Write a file, `a.csv` unless it is given a name, and return its path."""

    def write(content: str | bytes, name: str = "a.csv") -> str:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    return write


@pytest.fixture(scope="session")
def four_by_four() -> list[bytes]:
    """All 288 classic 4x4 grids, found by plain backtracking that shares no code with satdoku."""
    return list(fill(bytes(16), 0))
