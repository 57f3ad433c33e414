"""Refusals that a response tells apart."""

from __future__ import annotations

from tools.errors import ArgumentsError, DeniedError


class GuidedError(DeniedError):
    """Report that nothing runs because the program has better advice, which is the whole message."""


class RefusedArgumentsError(ArgumentsError):
    """Report arguments that the tool's types refuse, before it runs: only the process that has the types could tell."""
