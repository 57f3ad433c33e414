"""Refusals that a response tells apart."""

from __future__ import annotations

from tools.errors import ArgumentsError, DeniedError


class AdvisedRefusalError(DeniedError):
    """Report that a person refused, and what they want the caller to do.

    Args:
        message: What was refused, in the person's words.
        advice: What the caller is to do; empty when they did not say.
    """

    def __init__(self, message: str, advice: str) -> None:
        super().__init__(message)
        self.advice = advice


class GuidedError(DeniedError):
    """Report that nothing runs because the program has better advice, which is the whole message."""


class RefusedArgumentsError(ArgumentsError):
    """Report arguments that the tool's types refuse, before it runs: only the process that has the types could tell."""
