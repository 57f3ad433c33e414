"""Prompts that only a test has: what is asked of them is written down."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from tools.card import PromptText, spoken
from tools.errors import ToolError
from tools.spec import Role


class FakePrompts:
    """Be the port to prompts; `answers` holds what some say or raise, and while `gate` is closed nobody answers."""

    def __init__(self) -> None:
        self.asked: list[tuple[Any, ...]] = []
        self.answers: dict[str, PromptText | ToolError] = {}
        self.gate = asyncio.Event()
        self.gate.set()

    async def render(self, name: str, arguments: Mapping[str, Any], /) -> PromptText:
        self.asked.append((name, dict(arguments)))
        await self.gate.wait()
        answer = self.answers.get(name) or spoken(f"{name} with {dict(arguments)}", Role.USER)
        if isinstance(answer, ToolError):
            raise answer
        return answer

    async def complete(self, name: str, argument: str, written: str, others: Mapping[str, str], /) -> Sequence[str]:
        self.asked.append((name, argument, written, dict(others)))
        return [f"{written}-1", f"{written}-2"]
