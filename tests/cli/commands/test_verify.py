"""The trust boundary of `satdoku verify`: what its process loads."""

from pathlib import Path

import pytest
from loaded_modules import foreign, modules_of, within

STORED = Path(__file__).parent.parent.parent / "certificates" / "data" / "version-1.jsonl.xz"
UNTRUSTED = (
    "satdoku.batch",
    "satdoku.certificates.make",
    "satdoku.certificates.make",
    "satdoku.certificates.make",
    "satdoku.certificates.sample",
    "satdoku.cnf",
    "satdoku.engine",
    "satdoku.model.constraints",
    "satdoku.model.rules",
    "satdoku.answers",
    "satdoku.symmetry",
    "satdoku.witness.z3",
)


@pytest.fixture(scope="module")
def loaded():
    return modules_of("verify", "--no-external", str(STORED))


def test_verify_loads_the_checker(loaded):
    assert {"satdoku.certificates.check", "satdoku.witness.verify"} <= loaded


def test_verify_loads_nothing_that_made_the_certificate(loaded):
    assert within(loaded, *UNTRUSTED) == set()


def test_verify_loads_the_standard_library_and_satdoku_alone(loaded):
    """No PySAT, no Z3, no numpy, nor anything else that somebody installed."""
    assert foreign(loaded) == set()


def test_the_look_at_modules_sees_what_a_solver_loads():
    loaded = modules_of("check", "--backend", "session", "1" + "." * 80, code=1)
    assert {"pysat", "pysolvers"} <= foreign(loaded)
    assert "satdoku.answers.session" in within(loaded, "satdoku.answers", "satdoku.cnf")
