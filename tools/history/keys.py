"""What tells the calls of all runs apart: a run's number and a call's, as one value."""

from __future__ import annotations

from typing import Final

_CALL_BITS: Final = 40
_CALLS: Final = 1 << _CALL_BITS

RUN_OF_KEY: Final = f"""
    CASE typeof(calls.key) WHEN 'integer' THEN calls.key >> {_CALL_BITS} ELSE CAST(calls.key AS INTEGER) END
"""
"""The number of the run, as SQL: a text begins with it."""


def key_of(run: int, call: int | str) -> int | str:
    """Return the key of a call.

    Args:
        run: The run's number.
        call: The call's id: a number where it is one.
    """
    return run << _CALL_BITS | call if isinstance(call, int) and call < _CALLS else f"{run}-{call}"


def call_of(key: int | str) -> str:
    """Return the call's id within its run."""
    return str(key % _CALLS) if isinstance(key, int) else key.partition("-")[2]
