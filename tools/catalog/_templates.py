"""Render templates that anybody may have written: sandboxed, and bounded in time and size.

Jinja2's sandbox keeps a template away from the program. What it leaves open, a template that runs for ever or fills the
memory, is closed here: loops look at the clock, and whatever may grow is measured first.
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterator, Mapping
from functools import update_wrapper, wraps
from itertools import islice
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from jinja2 import StrictUndefined, TemplateSyntaxError, UndefinedError, nodes
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.visitor import NodeTransformer

from tools.errors import ToolFailure

if TYPE_CHECKING:
    from collections.abc import Callable

    from jinja2.runtime import Context

    from tools.context import ToolContext

RENDER_S: Final = 5.0
"""How long a template may take, in seconds."""

_LARGEST: Final = 1_000_000
_MOST_BITS: Final = 100_000
_LONG_NUMBER: Final = re.compile(r"\d{7}")


class _LimitPassedError(Exception):
    """End a template that takes too long or makes too much."""


def _weight(value: object, left: int = _LARGEST) -> int:
    """Return about how long a value is as text, counting no further than needed."""
    if isinstance(value, str | bytes):
        return len(value)
    if isinstance(value, range):
        return len(value)
    if isinstance(value, Mapping):
        value = [*value.keys(), *value.values()]
    if not isinstance(value, list | tuple | set | frozenset):
        return 1
    total = len(value)
    for item in value:
        if total > left:
            break
        total += _weight(item, left - total)
    return total


def _need_room(*sizes: int) -> None:
    """Check that a product of sizes is not too large."""
    product = 1
    for size in sizes:
        product *= max(size, 1)
    if product > _LARGEST:
        raise _LimitPassedError("it makes a text or list that is too long")


def _argument_weight(value: object) -> int:
    # A number may be a width or a count of repetitions.
    return abs(value) if isinstance(value, int) else _weight(value)


def _measured(function: Callable[..., Any], context_arguments: int = 0) -> Callable[..., Any]:
    """Return a filter that weighs its arguments first."""

    @wraps(function)
    def measured(*args: Any, **kwargs: Any) -> Any:
        before, (subject, *others) = args[:context_arguments], args[context_arguments:]
        if isinstance(subject, Iterator):
            subject = list(islice(subject, _LARGEST))
        _need_room(_weight(subject), *map(_argument_weight, (*others, *kwargs.values())))
        if function.__name__ == "do_format":
            _need_narrow(subject)
        return function(*before, subject, *others, **kwargs)

    return measured


def _need_narrow(text: object) -> None:
    """Check that a format names no enormous width."""
    if isinstance(text, str) and _LONG_NUMBER.search(text):
        raise _LimitPassedError("it asks for a text that is too wide")


class _Watching(NodeTransformer):
    """Let every loop and macro look at the clock, and every `~` look at its length."""

    def visit_For(self, node: nodes.For) -> nodes.For:  # noqa: N802 -- jinja2's name
        self.generic_visit(node)
        node.body.insert(0, nodes.ExprStmt(_call("look_at_clock", [], node.lineno), lineno=node.lineno))
        return node

    def visit_Macro(self, node: nodes.Macro) -> nodes.Macro:  # noqa: N802 -- jinja2's name
        self.generic_visit(node)
        node.body.insert(0, nodes.ExprStmt(_call("look_at_clock", [], node.lineno), lineno=node.lineno))
        return node

    def visit_Concat(self, node: nodes.Concat) -> nodes.Call:  # noqa: N802 -- jinja2's name
        self.generic_visit(node)
        return _call("joined", node.nodes, node.lineno)


def _call(name: str, arguments: list[nodes.Expr], line: int) -> nodes.Call:
    return nodes.Call(nodes.EnvironmentAttribute(name), arguments, [], None, None, lineno=line)


class _Bounded(ImmutableSandboxedEnvironment):
    """Jinja2's sandbox with a clock and a scale."""

    intercepted_binops = frozenset({"+", "*", "**", "%"})

    def __init__(self, ctx: ToolContext, *, escape_html: bool) -> None:
        super().__init__(
            undefined=StrictUndefined,
            autoescape=escape_html,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
            finalize=self._finalized,
            cache_size=0,
        )
        self._ctx = ctx
        self._deadline = monotonic() + RENDER_S
        del self.globals["lipsum"]
        for name, function in list(self.filters.items()):
            self.filters[name] = _measured(function, int(hasattr(function, "jinja_pass_arg")))

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        parsed = super()._parse(source, name, filename)
        watched: nodes.Template = _Watching().visit(parsed)
        return watched.set_environment(self)  # type: ignore[return-value]

    def look_at_clock(self) -> None:
        """End the template when its time is over."""
        if monotonic() > self._deadline or self._ctx.cancelled:
            raise _LimitPassedError(f"it takes more than {RENDER_S:g} s")

    def joined(self, *parts: object) -> str:
        """Return the parts as one text, as `~` does."""
        _need_room(sum(map(_weight, parts)))
        return "".join(map(str, parts))

    def _finalized(self, value: Any) -> Any:
        _need_room(_weight(value))
        return value

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """Compute `+`, `*`, `**` and `%` when what they make is not too large."""
        self.look_at_clock()
        if isinstance(left, int) and isinstance(right, int):
            bits = left.bit_length() * abs(right) if operator == "**" else left.bit_length() + right.bit_length()
            if bits > _MOST_BITS:
                raise _LimitPassedError("it makes a number that is too large")
        elif operator == "+":
            _need_room(_weight(left) + _weight(right))
        else:
            _need_room(_argument_weight(left), _argument_weight(right))
            _need_narrow(left)
        return super().call_binop(context, operator, left, right)

    def call(self, context: Context, obj: Any, /, *args: Any, **kwargs: Any) -> Any:
        """Call a method or macro when what it makes is not too large."""
        self.look_at_clock()
        subject = getattr(obj, "__self__", None)
        if isinstance(subject, str | list | tuple | dict):
            _need_room(_weight(subject), *map(_argument_weight, (*args, *kwargs.values())))
        return super().call(context, obj, *args, **kwargs)

    def wrap_str_format(self, value: Any) -> Callable[..., str] | None:
        """Return a `format` method that weighs its arguments first."""
        inner = super().wrap_str_format(value)
        if inner is None:
            return None
        text: str = value.__self__

        def measured(*args: Any, **kwargs: Any) -> str:
            _need_narrow(text)
            _need_room(_weight(text), *map(_argument_weight, (*args, *kwargs.values())))
            return inner(*args, **kwargs)

        return update_wrapper(measured, value)


def rendered(
    source: str, values: Mapping[str, Any], max_chars: int, ctx: ToolContext, *, escape_html: bool
) -> tuple[str, bool]:
    """Render a template.

    Args:
        values: What it may name.
        max_chars: Most characters returned.
        ctx: The running call.
        escape_html: Whether values are made safe for HTML.

    Returns:
        The text, and whether it was cut.

    Raises:
        ToolFailure: The template is wrong, names something unknown, takes too long or makes too much.
    """
    pieces: list[str] = []
    room = max_chars
    try:
        for piece in _Bounded(ctx, escape_html=escape_html).from_string(source).generate(values):
            pieces.append(piece[:room])
            room -= len(piece)
            if room < 0:
                return "".join(pieces), True
    except TemplateSyntaxError as error:
        raise ToolFailure(f"the template is wrong at line {error.lineno}: {error.message}") from error
    except _LimitPassedError as error:
        raise ToolFailure(f"the template was stopped{_where(error)}: {error}; make it smaller") from error
    except UndefinedError as error:
        known = ", ".join(sorted(values)) or "none"
        raise ToolFailure(
            f"the template fails{_where(error)}: {error.message}; the values given are: {known}"
        ) from error
    except Exception as error:  # a template may do anything wrong, and its author needs to read what
        raise ToolFailure(f"the template fails{_where(error)}: {str(error) or type(error).__name__}") from error
    return "".join(pieces), False


def _where(error: BaseException) -> str:
    """Return the template's line an error comes from, in words; empty when nobody knows."""
    line: int | None = None
    for frame, number in traceback.walk_tb(error.__traceback__):
        if frame.f_code.co_filename == "<template>":
            line = number
    return "" if line is None else f" at line {line}"
