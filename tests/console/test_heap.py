"""Memory that goes back to the system."""

from __future__ import annotations

import subprocess
import sys

import pytest

TAKEN_AGAIN = """
import ctypes, sys
from console.responsiveness.heap import return_large_blocks

class Info(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in "abcdefghij"]

def mapped():
    library = ctypes.CDLL(None)
    library.mallinfo2.restype = Info
    return library.mallinfo2().e

if sys.argv[1] == "returned":
    return_large_blocks()
block = bytearray(8 * 2**20)
del block
before = mapped()
block = bytearray(8 * 2**20)
print(mapped() - before >= len(block))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only glibc keeps such blocks")
@pytest.mark.parametrize(("how", "is_mapped"), [("returned", True), ("kept", False)])
def test_a_large_block_comes_from_the_system_also_after_one_was_freed(how: str, *, is_mapped: bool) -> None:
    done = subprocess.run([sys.executable, "-c", TAKEN_AGAIN, how], capture_output=True, text=True, check=True)
    assert done.stdout == f"{is_mapped}\n"
