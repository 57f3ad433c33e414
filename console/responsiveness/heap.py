"""Large blocks of memory that go back to the system as soon as they are free."""

from __future__ import annotations

import ctypes
import sys
from contextlib import suppress
from typing import Any, Final

LARGE_BYTES: Final = 2**20
_M_MMAP_THRESHOLD: Final = -3


def return_large_blocks() -> None:
    """Have the allocator of glibc take each large block from the system, and return it; others are left as they are.

    By itself glibc does so only until the first such block is freed: from then on blocks of that size come from the
    heap, where small ones that stay come to lie between them, and nothing in front of those can be returned. Pictures
    of windows, indexes and texts of results are such blocks: after 9,000 events of the monkey with all pages closed,
    178 MiB of the heap were free, and 48 with this.

    Source: mallopt(3), `M_MMAP_THRESHOLD`.
    """
    if sys.platform == "linux":
        # Another C library may not have it.
        with suppress(AttributeError):
            library: Any = ctypes.CDLL(None)
            library.mallopt(_M_MMAP_THRESHOLD, LARGE_BYTES)
