"""A Dask scheduler: reached or not, with TLS or without, with workers or without."""

import logging
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import TimeoutError as FutureTimeout

import pytest
from bad_networks import BadNetwork
from dask_clusters import dask_cluster
from examples import CLASSIC
from process_groups import members
from worker_cases import work

from satdoku.cli import main
from satdoku.runtime import cluster as module
from satdoku.runtime.cluster import Dask
from satdoku.runtime.errors import WorkerError
from satdoku.runtime.workers import Workers, map_in_order

HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
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

        def begin(_):
            listener.listen()
            threading.Thread(
                target=lambda: listener.accept()[0].send(b"hello"), daemon=True
            ).start()

        monkeypatch.setattr(module.time, "sleep", begin)
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
    with pytest.raises(WorkerError, match=r"^dask://.*: no worker within 0\.5 s: .*--dask-timeout"):
        Workers(Dask(idle, timeout=0.5, on_line=told.append))
    assert time.monotonic() - start >= 0.5
    assert told == [f"{idle}: no workers yet: waiting 0.5 s for one"]
    assert capfd.readouterr().err == ""  # nothing of Dask's own

    def give_up(line):
        raise InterruptedError(line)

    with pytest.raises(InterruptedError, match="waiting 99999 s"):  # nobody waits so long for it
        Workers(Dask(idle, timeout=99_999, on_line=give_up))


def test_the_command_says_so(idle, tmp_path, capfd):
    puzzles = tmp_path / "puzzles.txt"
    puzzles.write_text(f"{CLASSIC}\n")
    for command in ("batch", "audit"):
        words = [command, str(puzzles), "-q", "--executor", idle, "--dask-timeout", "0.5"]
        assert main(words) == 2
        err = capfd.readouterr().err.splitlines()
        assert [line.partition(" for one")[0].partition(": start")[0] for line in err] == [
            f"satdoku: {idle}: no workers yet: waiting 0.5 s",
            f"satdoku: {idle}: no worker within 0.5 s",
        ]


def test_levels_of_logs_are_as_they_were(idle):
    before = logging.getLogger("distributed.client").level
    with pytest.raises(WorkerError):
        Workers(Dask(idle, timeout=0.2, on_line=str))
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
            pytest.raises(WorkerError, match="no worker within 4 s"),
            Workers(Dask(f"dask://{address}", timeout=4, on_line=told.append)) as workers,
        ):
            list(map_in_order(workers, work, jobs()))
    assert told[-1].endswith("no workers yet: waiting 4 s for one")


def test_a_timeout_of_the_work_itself_is_raised_as_it_is(tmp_path):
    with (
        dask_cluster(tmp_path, workers=1) as (address, _),
        Workers(f"dask://{address}") as workers,
        pytest.raises(TimeoutError, match="of the work"),
    ):
        workers.result(workers.submit(late, 1))


# Bad networks -------------------------------------------------------------------------------------

SILENT = r"the scheduler does not answer within 2 s: is the network down\?.*--dask-timeout"
CUT = "the executor's workers are gone|the scheduler is gone"


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """The address of a cluster with one worker."""
    with dask_cluster(tmp_path_factory.mktemp("cluster"), workers=1) as (address, _):
        yield address


def test_a_slow_connection_gives_the_same(cluster):
    network = BadNetwork(cluster, delay=0.02)
    assert squares(f"dask://{network.address}") == EXPECTED


@pytest.mark.parametrize(("fault", "message"), [("silent", SILENT), ("cut", CUT)])
def test_a_connection_that_fails_in_the_middle(cluster, fault, message):
    network = BadNetwork(cluster)

    def jobs():
        for number in range(10_000):
            if number == 10:
                fail(network, fault)
            yield number, (number,)

    start = time.monotonic()
    with (
        pytest.raises(WorkerError, match=message),
        Workers(Dask(f"dask://{network.address}", timeout=2)) as workers,
    ):
        list(map_in_order(workers, work, jobs()))
    assert time.monotonic() - start < 600
    assert squares(f"dask://{cluster}") == EXPECTED  # the next one is not kept waiting


def fail(network, fault):
    if fault == "cut":
        network.cut()
    network.silent = True


@pytest.mark.parametrize("silent", [True, False])
def test_a_connection_that_never_works(cluster, no_client, silent):
    network = BadNetwork(cluster, silent=True)
    if not silent:
        network.cut()
    with pytest.raises(WorkerError, match="no scheduler answers: "):
        Workers(Dask(f"dask://{network.address}", timeout=1))


def test_a_port_that_hangs_up_at_once(no_client):
    def hang_up():
        while True:
            listener.accept()[0].close()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=hang_up, daemon=True).start()
        address = "{}:{}".format(*listener.getsockname())
        with pytest.raises(WorkerError, match="no scheduler answers: it closed the connection"):
            Workers(Dask(f"dask://{address}", timeout=0.5))


@pytest.mark.slow
@pytest.mark.parametrize("command", ["batch", "audit"])
@pytest.mark.parametrize("fault", ["silent", "cut", "slow"])
@pytest.mark.parametrize("number", [None, signal.SIGINT, signal.SIGTERM])
def test_a_command_ends_whatever_the_network_does(cluster, fault, number, command, tmp_path):
    network = BadNetwork(cluster, delay=0.005 if fault == "slow" else 0)
    many = {"batch": 30_000, "audit": 60_000 if fault == "slow" else 600_000}
    puzzles = tmp_path / "puzzles.txt"
    puzzles.write_text(f"{HARD}\n" * many[command])
    words = [sys.executable, "-m", "satdoku", command, str(puzzles), "-q", "--executor",
             f"dask://{network.address}", "--dask-timeout", "2"]  # fmt: skip
    words += ["--backend", "session"] * (command == "batch")
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "start_new_session": True}
    with subprocess.Popen(words, **options) as process:
        time.sleep(4)
        assert process.poll() is None
        if fault != "slow":
            fail(network, fault)
        if number is not None:
            process.send_signal(number)
        start = time.monotonic()
        _, err = process.communicate(timeout=120)
    seconds, code = time.monotonic() - start, process.returncode
    assert (code, err.count(b"\n")) in ((128 + (number or 0), 1), (2, 1), (1, 0), (0, 0))
    assert fault == "slow" or seconds < 15
    assert number is None or code == 128 + number or fault == "cut"
    assert members(process.pid) == []


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
