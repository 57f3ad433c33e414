"""Rights of files that count for root as well, as they count for everybody else."""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_VERSION: Final = 0x20080522
_PASSES_RIGHTS: Final = 1 << 1 | 1 << 2
"""CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH, see capabilities(7)."""


@contextmanager
def obeyed_rights() -> Iterator[None]:
    """Let the modes of files and folders refuse what they forbid, also to root; threads begun meanwhile go on so."""
    if sys.platform != "linux" or os.geteuid() != 0:
        yield
        return
    libc = ctypes.CDLL(None, use_errno=True)
    header = ctypes.create_string_buffer(struct.pack("Ii", _VERSION, 0))
    # Effective, permitted and inheritable rights, first those with the numbers 0 to 31.
    rights = ctypes.create_string_buffer(24)
    _check(libc.capget(header, rights))
    before = rights.raw
    effective, *others = struct.unpack("6I", before)
    _check(libc.capset(header, struct.pack("6I", effective & ~_PASSES_RIGHTS, *others)))
    try:
        yield
    finally:
        _check(libc.capset(header, before))


def _check(result: int) -> None:
    if result != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
