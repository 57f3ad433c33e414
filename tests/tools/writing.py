"""Tools that write text while they run; workers find them by the name of this module."""

from __future__ import annotations

import asyncio
from itertools import count
from typing import Annotated

from pydantic import SecretStr

from tools import Param, ToolContext, ToolFailure, retry, tool

_ATTEMPTS = count(1)


@tool
def dictate(ctx: ToolContext) -> str:
    """Write a text in parts."""
    for part in ("one ", "two\n", "", "three"):
        ctx.write(part)
    return "done"


@tool
def break_off(ctx: ToolContext) -> str:
    """Fail in the middle of a text."""
    ctx.write("half of ")
    raise ToolFailure("no ink")


@tool
@retry(max_attempts=2, initial_delay_s=0.001, retry_on=(OSError,), even_if_not_idempotent=True)
def dictate_again(ctx: ToolContext) -> str:
    """Write another text in the second attempt."""
    ctx.write(f"attempt {next(_ATTEMPTS)}")
    raise OSError("no ink")


@tool
async def dictate_for_ever(ctx: ToolContext) -> str:
    """Write until somebody stops it."""
    ctx.write("so far")
    await asyncio.Event().wait()
    return "never"


@tool
def tell(key: Annotated[SecretStr, Param("A key")], ctx: ToolContext) -> str:
    """Write a secret in two parts."""
    word = key.get_secret_value()
    ctx.write(f"the key is {word[:6]}")
    ctx.write(f"{word[6:]} and\nno")
    ctx.write(" more")
    return "done"
