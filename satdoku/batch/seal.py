"""The key that seals journals: nobody can forge a record without it.

Invariant: a key is read only from a file of this user that nobody else can read; it is created
once, and never replaced.

The key lies in the state folder of the user: `$XDG_STATE_HOME/satdoku/journal.key`, by default
`~/.local/state/satdoku/journal.key` (XDG Base Directory Specification).
"""

from __future__ import annotations

import hashlib
import os
import secrets
import stat

from ..files.outputs import SAFELY, create_whole
from ..files.streams import FileError

KEY_BYTES = 32
SEAL_BYTES = 32
NO_KEY = b""  # a seal by it only tells a torn record from a whole one


def key_path() -> str:
    """The file of the key; an XDG_STATE_HOME that is no absolute path is ignored."""
    base = os.environ.get("XDG_STATE_HOME", "")
    if not os.path.isabs(base):
        base = os.path.expanduser("~/.local/state")
    return os.path.join(base, "satdoku", "journal.key")


def own_key() -> bytes:
    """The key of this user, made if there is none.

    Raises `OSError` if it cannot be kept, `FileError` if what is there cannot be a secret.
    """
    path = key_path()
    if not os.path.lexists(path):
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        create_whole(path, secrets.token_bytes(KEY_BYTES), 0o600)
    return _read_key(path)


def _read_key(path: str) -> bytes:
    descriptor = os.open(path, os.O_RDONLY | SAFELY)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_size != KEY_BYTES:
            raise FileError(f"{path}: holds no key of {KEY_BYTES} bytes: remove it, for a new one")
        if hasattr(os, "geteuid"):
            _check_secret(path, status)
        return os.read(descriptor, KEY_BYTES)
    finally:
        os.close(descriptor)


def _check_secret(path: str, status: os.stat_result) -> None:
    if status.st_uid != os.geteuid():
        raise FileError(
            f"{path}: belongs to another user: set XDG_STATE_HOME to a folder of your own"
        )
    if status.st_mode & 0o077:
        raise FileError(f"{path}: others may read this key: remove it, for a new one")


def seal(key: bytes, *parts: bytes) -> bytes:
    """The keyed hash (BLAKE2b, 32 bytes) of some parts, of which all but the last have one length
    each for all calls."""
    digest = hashlib.blake2b(key=key, digest_size=SEAL_BYTES)
    for part in parts:
        digest.update(part)
    return digest.digest()
