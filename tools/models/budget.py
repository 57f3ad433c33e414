"""What a conversation may cost, asked about before it is passed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from tools.models.messages import Usage

ANSWER_TOKENS: Final = 1_000
"""What an answer is expected to take where nobody limits it."""

_MILLION: Final = 1_000_000


class Prices(NamedTuple):
    """What a provider asks for a million tokens.

    Attributes:
        cached: For what is read and still known; None is as for the rest.
    """

    input: float
    output: float
    cached: float | None = None

    def cost(self, usage: Usage) -> float:
        cached = self.input if self.cached is None else self.cached
        fresh = usage.input_tokens - usage.cached_tokens
        return (fresh * self.input + usage.cached_tokens * cached + usage.output_tokens * self.output) / _MILLION


class Budget(NamedTuple):
    """What a conversation may take.

    Attributes:
        tokens: All tokens, read and written; None for no limit.
        cost: All money, in the currency of the prices; None for no limit.
    """

    tokens: int | None = None
    cost: float | None = None


class BudgetQuestion(NamedTuple):
    """The next request would pass the budget.

    Attributes:
        used: Tokens until now.
        expected: Tokens that the request is expected to take.
        cost: What was paid until now; None when no price is known.
        expected_cost: What the request is expected to cost; None likewise.
    """

    budget: Budget
    used: int
    expected: int
    cost: float | None = None
    expected_cost: float | None = None

    @property
    def passes(self) -> bool:
        tokens = self.budget.tokens is not None and self.used + self.expected > self.budget.tokens
        paid = (self.cost or 0.0) + (self.expected_cost or 0.0)
        return tokens or (self.budget.cost is not None and paid > self.budget.cost)
