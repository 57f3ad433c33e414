"""Tell what each thread costs: processor time by the thread's name, read while others run."""

from __future__ import annotations

import threading
import time
from collections import Counter

__all__ = ["print_times", "times_by_thread"]


def times_by_thread() -> Counter[str]:
    """Return the processor time of each thread of Python's so far in nanoseconds, by its name; where the system tells.

    Threads of a pool count as one, by the name of the pool.
    """
    spent: Counter[str] = Counter()
    if not hasattr(time, "pthread_getcpuclockid"):
        return spent
    for thread in threading.enumerate():
        if thread.ident is not None:
            spent[thread.name.rpartition("_")[0] or thread.name] += time.clock_gettime_ns(
                time.pthread_getcpuclockid(thread.ident)
            )
    return spent


def print_times(before: Counter[str], calls: int, wall_s: float) -> None:
    """Print what each thread took since an earlier moment.

    Args:
        before: What they had taken by then.
        calls: How many calls were made since.
        wall_s: Seconds since.
    """
    spent = times_by_thread() - before
    if not spent:
        return
    print(f"    {'processor time by thread':<28} {'µs a call':>10} {'of a core':>10}")
    for name, spent_ns in [*spent.most_common(), ("all of Python's", spent.total())]:
        if (share := spent_ns / wall_s / 1e9) >= 0.001:
            print(f"      {name:<26} {spent_ns / calls / 1000:>10.1f} {share:>10.1%}")
