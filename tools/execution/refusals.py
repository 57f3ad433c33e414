"""Refusals that a response tells apart."""

from __future__ import annotations

from tools.errors import DeniedError


class GuidedError(DeniedError):
    """Report that nothing runs because the program has better advice, which is the whole message."""
