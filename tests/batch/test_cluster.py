"""A Dask scheduler: reached or not, with TLS or without, with workers or without."""

import logging
import re
import shutil
import signal
import socket
import subprocess
import time
from concurrent.futures import TimeoutError as FutureTimeout

import pytest
from dask_clusters import dask_cluster
from examples import CLASSIC
from worker_cases import work

from satdoku.batch import cluster as module
from satdoku.batch.cluster import Dask
from satdoku.batch.workers import WorkerError, Workers, map_in_order
from satdoku.cli import main

distributed = pytest.importorskip("distributed")


@pytest.fixture
def no_client(monkeypatch):
    """One that failed may block whoever makes the next: none must be made in vain."""
    monkeypatch.setattr(distributed, "Client", lambda *_, **__: pytest.fail("a client was made"))


@pytest.mark.parametrize("address", ["dask://", "dask://host", "dask://:1", "dask://host:x"])
def test_an_address_that_is_none(no_client, address):
    with pytest.raises(WorkerError, match=f"^{address}: expected dask://HOST:PORT$"):
        Workers(address)


@pytest.mark.parametrize("address", ["127.0.0.1:1", "[::1]:1", "127.0.0.1:99999"])
def test_a_scheduler_that_is_not_there(monkeypatch, no_client, address):
    monkeypatch.setattr(module, "_PATIENCE", 0)
    with pytest.raises(WorkerError, match=f"^dask://{re.escape(address)}: no scheduler answers: "):
        Workers(f"dask://{address}")


def test_a_scheduler_that_begins_late_is_waited_for(monkeypatch):
    monkeypatch.setattr(distributed, "Client", lambda address, timeout, **_: (address, timeout))
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        target = "{}:{}".format(*listener.getsockname())
        monkeypatch.setattr(module.time, "sleep", lambda _: listener.listen())
        assert module._client(module.Dask(f"dask://{target}")) == (
            f"tcp://{target}",
            module._PATIENCE,
        )


def squares(dask, count=20):
    with Workers(dask) as workers:
        return list(map_in_order(workers, work, ((n, (n,)) for n in range(count))))


EXPECTED = [(n, n * n) for n in range(20)]


def late(number):
    raise FutureTimeout("of the work")


@pytest.fixture(scope="module")
def idle(tmp_path_factory):
    """The address of a scheduler that has no workers."""
    with dask_cluster(tmp_path_factory.mktemp("idle"), workers=0) as (address, _):
        yield f"dask://{address}"


def test_a_scheduler_without_workers_is_told_at_once_and_ends_in_time(idle, capfd):
    told = []
    start = time.monotonic()
    with pytest.raises(WorkerError, match=r"^dask://.*: no worker within 1\.5 s: .*--dask-timeout"):
        Workers(Dask(idle, timeout=1.5, tell=lambda line: told.append((line, time.monotonic()))))
    assert 1.5 <= time.monotonic() - start < 20
    assert [line for line, _ in told] == [f"{idle}: no workers yet: waiting 1.5 s for one"]
    assert told[0][1] - start < time.monotonic() - start - 1.2
    assert capfd.readouterr().err == ""  # nothing of Dask's own


def test_the_command_says_so(idle, tmp_path, capfd):
    puzzles = tmp_path / "puzzles.txt"
    puzzles.write_text(f"{CLASSIC}\n")
    for command in ("batch", "audit"):
        words = [command, str(puzzles), "-q", "--executor", idle, "--dask-timeout", "1"]
        assert main(words) == 2
        err = capfd.readouterr().err.splitlines()
        assert [line.partition(" for one")[0].partition(": start")[0] for line in err] == [
            f"satdoku: {idle}: no workers yet: waiting 1 s",
            f"satdoku: {idle}: no worker within 1 s",
        ]


def test_levels_of_logs_are_as_they_were(idle):
    before = logging.getLogger("distributed.client").level
    with pytest.raises(WorkerError):
        Workers(Dask(idle, timeout=0.2, tell=str))
    assert logging.getLogger("distributed.client").level == before


def test_workers_that_leave_in_the_middle(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "_LOOK", 0.2)
    told = []
    with dask_cluster(tmp_path, workers=1) as (address, started):

        def jobs():
            for number in range(1000):
                if number == 10:
                    started[0].send_signal(signal.SIGTERM)
                    started[0].wait()
                yield number, (number,)

        with (
            pytest.raises(WorkerError, match="no worker within 8 s"),
            Workers(Dask(f"dask://{address}", timeout=8, tell=told.append)) as workers,
        ):
            list(map_in_order(workers, work, jobs()))
    assert told[-1].endswith("no workers yet: waiting 8 s for one")


def test_a_timeout_of_the_work_itself_is_raised_as_it_is(tmp_path):
    with (
        dask_cluster(tmp_path, workers=1) as (address, _),
        Workers(f"dask://{address}") as workers,
        pytest.raises(TimeoutError, match="of the work"),
    ):
        workers.result(workers.submit(late, 1))


# TLS ---------------------------------------------------------------------------------------------


def certificate(folder, name, authority=None):
    """Files in PEM format, made by openssl: the certificate and its key."""
    cert, key = folder / f"{name}.pem", folder / f"{name}.key"
    words = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
             "-subj", f"/CN={name}", "-keyout", key, "-out", cert]  # fmt: skip
    if authority is not None:
        words += ["-CA", authority[0], "-CAkey", authority[1]]
        words += ["-addext", "basicConstraints=critical,CA:FALSE"]
    made = subprocess.run(words, capture_output=True)
    if made.returncode:
        pytest.skip(f"openssl makes no certificate: {made.stderr.decode()[-200:]}")
    return str(cert), str(key)


@pytest.fixture(scope="module")
def encrypted(tmp_path_factory):
    """A cluster with TLS: its address, the files for a client, and those of a stranger."""
    if shutil.which("openssl") is None:
        pytest.skip("needs openssl")
    folder = tmp_path_factory.mktemp("tls")
    authority = certificate(folder, "authority")
    cert, key = certificate(folder, "member", authority)
    other = certificate(folder, "stranger")
    files = ["--tls-ca-file", authority[0], "--tls-cert", cert, "--tls-key", key]
    with dask_cluster(folder, 1, ["--protocol", "tls", *files]) as (address, _):
        ours = {"ca": authority[0], "cert": cert, "key": key}
        yield address, ours, {"ca": other[0], "cert": other[0], "key": other[1]}


def test_work_goes_over_tls(encrypted):
    address, ours, _ = encrypted
    assert squares(Dask(f"dask+tls://{address}", **ours)) == EXPECTED


def test_certificates_of_dasks_own_configuration(encrypted):
    dask = pytest.importorskip("dask")
    address, ours, _ = encrypted
    tls = "distributed.comm.tls"
    names = {f"{tls}.ca-file": ours["ca"], f"{tls}.client.cert": ours["cert"]}
    with dask.config.set({**names, f"{tls}.client.key": ours["key"]}):
        assert squares(f"dask+tls://{address}") == EXPECTED


@pytest.mark.parametrize("kind", ["stranger", "half a stranger", "plain", "none", "missing"])
def test_without_the_right_certificates_nobody_gets_in(encrypted, kind, capfd, tmp_path):
    address, ours, other = encrypted
    tls, files, message = {
        "stranger": (True, other, "TLS fails: .*certificate"),
        "half a stranger": (True, {**other, "ca": ours["ca"]}, "TLS fails|no scheduler answers"),
        "plain": (False, {}, "no scheduler answers"),
        "none": (True, {}, "no certificates: give --dask-ca, --dask-cert and --dask-key"),
        "missing": (True, {**ours, "cert": str(tmp_path / "no.pem")}, "no.pem"),
    }[kind]
    with pytest.raises(WorkerError, match=message):
        Workers(Dask(f"dask{'+tls' * tls}://{address}", timeout=3, **files))
    assert "Traceback" not in capfd.readouterr().err


def test_tls_to_a_scheduler_that_has_none(encrypted, idle):
    _, ours, _ = encrypted
    with pytest.raises(WorkerError, match=r"TLS fails|no scheduler answers"):
        Workers(Dask(idle.replace("dask://", "dask+tls://"), timeout=2, **ours))


def test_the_command_with_tls(encrypted, tmp_path, capfd):
    address, ours, _ = encrypted
    puzzles = tmp_path / "puzzles.txt"
    puzzles.write_text(f"{CLASSIC}\n" * 3)
    options = [word for name, path in ours.items() for word in (f"--dask-{name}", path)]
    assert main(["batch", str(puzzles), "--executor", f"dask+tls://{address}", *options]) == 0
    assert capfd.readouterr().out.count("unique ") == 3


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--dask-ca", "x"], "--dask-ca needs --executor dask+tls://HOST:PORT"),
        (["--dask-key", "x", "--executor", "dask://a:1"], "--dask-key needs --executor dask+tls:"),
        (["--dask-timeout", "3", "--executor", "process"], "--dask-timeout needs --executor dask:"),
    ],
)
def test_options_that_would_change_nothing_are_refused(words, message, tmp_path, capsys):
    puzzles = tmp_path / "puzzles.txt"
    puzzles.write_text(f"{CLASSIC}\n")
    for command in ("batch", "audit"):
        assert main([command, str(puzzles), *words]) == 2
        assert message in capsys.readouterr().err
