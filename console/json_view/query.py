"""Pick values out of a result with a JMESPath expression, within a time."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

from console.language import tr
from tools.sentences import full_sentence

_PLAIN_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_LONGEST_REASON: Final = 200


class QueryError(ValueError):
    """An expression is wrong, does not fit the value, or takes too long; the message is for a person."""


def picked(value: Any, expression: str, *, within_s: float = 5.0, clock: Callable[[], float] = time.monotonic) -> Any:
    """Return what an expression picks out of a value; None when there is no such thing.

    Args:
        within_s: Seconds after which it is given up.
        clock: Tells the time, in seconds.

    Raises:
        QueryError: The expression is wrong, does not fit, or takes too long.

    Source: jmespath.org, specification of 2015.
    """
    # Takes more time than a start has, and few people ask for it.
    from jmespath import exceptions  # noqa: PLC0415 -- as above
    from jmespath.parser import Parser  # noqa: PLC0415 -- as above
    from jmespath.visitor import TreeInterpreter  # noqa: PLC0415 -- as above

    end_s = clock() + within_s

    class Bounded(TreeInterpreter):
        def visit(self, node: Any, *args: Any, **kwargs: Any) -> Any:
            if clock() > end_s:
                msg = tr("The expression took more than {within_s:g} s. Pick from a smaller part.", within_s=within_s)
                raise QueryError(msg)
            return super().visit(node, *args, **kwargs)

    try:
        return Bounded().visit(Parser().parse(expression).parsed, value)
    except QueryError:
        raise
    except exceptions.UnknownFunctionError as error:
        msg = tr("there is no such function: {error}", error=str(error).partition(": ")[2])
        raise QueryError(_sentence(msg)) from error
    except exceptions.ArityError as error:
        raise QueryError(_sentence(str(error))) from error
    except (exceptions.ParseError, exceptions.LexerError) as error:
        place = error.lex_position
        msg = (
            tr(
                "Expected a JMESPath expression such as items[0].name; this one cannot be read at letter {place}.",
                place=place + 1,
            )
            if 0 <= place < len(expression)
            else tr("Expected a JMESPath expression such as items[0].name; this one cannot be read at its end.")
        )
        raise QueryError(msg) from error
    except exceptions.JMESPathError as error:
        raise QueryError(_sentence(str(error).splitlines()[0])) from error
    except RecursionError as error:
        msg = tr("Too many values inside each other to pick from. Pick from a part.")
        raise QueryError(msg) from error
    except (TypeError, ValueError, ArithmeticError) as error:
        # Some functions meet values that they were not made for.
        raise QueryError(_sentence(tr("the expression does not fit the value: {error}", error=error))) from error


def picked_path(expression: str, keys: Sequence[str | int]) -> str:
    """Write where a value stands inside what an expression picks, as an expression that picks it alone.

    Args:
        keys: Names and positions from what was picked to the value.
    """
    path = ""
    for key in keys:
        if isinstance(key, int):
            path += f"[{key}]"
        else:
            name = key if _PLAIN_NAME.fullmatch(key) else json.dumps(key, ensure_ascii=False)
            path += f".{name}" if path else name
    return f"{expression} | {path}" if path else expression


def _sentence(text: str) -> str:
    # A reason may quote the value, however large that is.
    text = text if len(text) <= _LONGEST_REASON else f"{text[:_LONGEST_REASON]}…"
    return full_sentence(text)
