"""Tools that are generators, synchronous or not: each text is shown as it comes, and all values are the result."""

from __future__ import annotations

import collections.abc
import functools
import inspect
import typing
from collections.abc import Callable
from contextlib import aclosing, closing
from typing import Any, Final

from tools.declare.signature import Signature, plain_function
from tools.tool import Injected, Injection

STREAM: Final = "\0stream"
"""The parameter that receives the context, beside those of the function; no function has one of that name."""

_KINDS: Final = (
    collections.abc.AsyncGenerator,
    collections.abc.AsyncIterable,
    collections.abc.AsyncIterator,
    collections.abc.Generator,
    collections.abc.Iterable,
    collections.abc.Iterator,
)


def is_generator(function: Callable[..., Any]) -> bool:
    """Tell whether a function yields its result in parts."""
    plain = plain_function(function)
    return inspect.isasyncgenfunction(plain) or inspect.isgeneratorfunction(plain)


def collecting(function: Callable[..., Any], signature: Signature) -> tuple[Callable[..., Any], Signature]:
    """Return a function that runs a generator to its end, and what it looks like.

    Texts are one text together; anything else is a list. What is yielded tells which, unless the annotation does.
    """
    item = _item_of(signature.returns)
    returns = signature.returns if item is Any else str if item is str else list[item]  # type: ignore[valid-type]

    def joined(values: list[Any]) -> Any:
        is_text = item is str or (item is Any and bool(values))
        return "".join(values) if is_text and all(isinstance(value, str) for value in values) else values

    def run(**given: Any) -> Any:
        context, values = given.pop(STREAM, None), list[Any]()
        with closing(function(**given)) as stream:
            for value in stream:
                _show(context, value)
                values.append(value)
        return joined(values)

    async def run_async(**given: Any) -> Any:
        context, values = given.pop(STREAM, None), list[Any]()
        async with aclosing(function(**given)) as stream:
            async for value in stream:
                _show(context, value)
                values.append(value)
        return joined(values)

    runs = run_async if inspect.isasyncgenfunction(plain_function(function)) else run
    functools.update_wrapper(runs, function, assigned=(), updated=())
    injected = (*signature.injected, Injected(STREAM, Injection.CONTEXT))
    return runs, signature._replace(returns=returns, injected=injected)


def _item_of(returns: Any) -> Any:
    """Return what a generator is annotated to yield; `Any` when nobody says."""
    if typing.get_origin(returns) not in _KINDS:
        return Any
    return (typing.get_args(returns) or (Any,))[0]


def _show(context: Any, value: Any) -> None:
    if context is not None and isinstance(value, str):
        context.write(value)
