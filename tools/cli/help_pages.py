"""The reference pages of the help that are made from the code: the decorators, and the commands."""

from __future__ import annotations

import argparse
import inspect
import textwrap
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from types import MappingProxyType
from typing import Any, Final, get_args, get_overloads

import docstring_parser
from docstring_parser import DocstringStyle
from pydantic import BaseModel

import tools
from tools.cli.main import parser_of
from tools.sentences import full_sentence
from tools.spec import CachePolicy, Policies, ToolSpec

_POLICIES: Final = {
    name: get_args(field.annotation)[0] for name, field in Policies.model_fields.items() if name in tools.__all__
}
_DECORATORS: Final[Mapping[str, type[BaseModel] | None]] = MappingProxyType(
    {
        "tool": ToolSpec,
        "toolkit": None,
        "prompt": None,
        "supported_for": None,
        **_POLICIES,
        "cached": CachePolicy,
        "resilience": Policies,
    }
)
"""Each decorator, and the value that tells about its parameters; None where the decorator itself does."""

_EVERYWHERE: Final = frozenset({"plugin", "servers"})
_WIDTH: Final = 120
_DECORATORS_HEAD: Final = """\
# Reference: decorators

A decorator above a function, a method or a class makes it a tool, or says how the tool runs. Decorators stack in any
order; nothing is wrapped until a call runs. This page is made from the code.
"""
_COMMANDS_HEAD: Final = """\
# Reference: commands

`tool-console` opens the window; with a command behind it, it is a command line. `tool-console COMMAND --help` says the
same as this page, which is made from the code. Exit codes: 0 ok, 1 findings, 2 usage, 3 denied, 4 invalid arguments,
5 the tool failed, 6 timed out, 7 the audit log was changed, 130 stopped.

Commands that load the tools also take `--plugin FILE`, which loads a plugin file as well, and `--servers`, which starts
the MCP servers and has their tools as well.
"""


def decorators_page() -> str:
    """Return the page of the decorators as Markdown."""
    lines = [_DECORATORS_HEAD]
    for name, policy in _DECORATORS.items():
        decorator = getattr(tools, name)
        docs, about = _docs_of(decorator)
        fields, _ = _docs_of(policy) if policy is not None else ({}, "")
        lines += [f"## @{name}", "", textwrap.fill(about, _WIDTH), ""]
        lines += [*_parameters(_taken(decorator, policy), {**fields, **docs}), ""]
    return _joined(lines)


def commands_page() -> str:
    """Return the page of the commands as Markdown."""
    lines = [_COMMANDS_HEAD]
    for words, parser in _parsers(parser_of(())):
        if not words:
            continue
        lines += [f"{'##' if len(words) == 1 else '###'} tool-console {' '.join(words)}", ""]
        lines += [textwrap.fill(full_sentence(parser.description or ""), _WIDTH), ""] if parser.description else []
        lines += [*map(_argument, _arguments(parser)), ""]
        lines += [textwrap.fill(parser.epilog, _WIDTH), ""] if parser.epilog else []
    return _joined(lines)


def _joined(lines: list[str]) -> str:
    return "\n".join(lines).replace("\n\n\n", "\n\n").rstrip() + "\n"


def _docs_of(item: object) -> tuple[dict[str, str], str]:
    parsed = docstring_parser.parse(inspect.getdoc(item) or "", style=DocstringStyle.GOOGLE)
    about = " ".join(filter(None, (parsed.short_description, parsed.long_description)))
    return {one.arg_name.lstrip("*"): _plain(one.description or "") for one in parsed.params}, _plain(about)


def _plain(text: str) -> str:
    return " ".join(text.split())


def _taken(decorator: Callable[..., Any], policy: type[BaseModel] | None) -> dict[str, object]:
    """Return what a decorator takes with the defaults, which are those of its value where it only hands them on."""
    # The last overload is the one that takes parameters.
    *_, form = get_overloads(decorator) or (decorator,)
    parameters = inspect.signature(form).parameters.values()
    if policy is not None and any(one.kind is inspect.Parameter.VAR_KEYWORD for one in parameters):
        return {
            name: inspect.Parameter.empty if field.is_required() else field.default
            for name, field in policy.model_fields.items()
        }
    return {one.name: one.default for one in parameters}


def _parameters(taken: Mapping[str, object], docs: Mapping[str, str]) -> Iterator[str]:
    """Yield a line for each parameter; what no docstring names by itself stands behind the others, together."""
    undescribed = []
    for name, given in taken.items():
        about = docs.get(name) or docs.get(f"{name}_hint")
        if not about:
            undescribed.append(f"`{name}`")
            continue
        default = "" if given is inspect.Parameter.empty else f" (default `{_shown(given)}`)"
        yield _item(f"`{name}`{default}: {about}")
    if undescribed and "card" in docs:
        yield _item(f"{', '.join(undescribed)}: {docs['card']}")


def _shown(default: object) -> str:
    return repr(default.value if isinstance(default, Enum) else default)


def _item(text: str) -> str:
    return textwrap.fill(text, _WIDTH, initial_indent="- ", subsequent_indent="  ", break_on_hyphens=False)


def _parsers(
    parser: argparse.ArgumentParser, words: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], argparse.ArgumentParser]]:
    yield words, parser
    for action in parser._actions:  # noqa: SLF001 -- argparse tells what a parser takes nowhere else
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 -- as above
            helps = {choice.dest: choice.help for choice in action._choices_actions}  # noqa: SLF001 -- as above
            for name, inner in action.choices.items():
                inner.description = inner.description or helps.get(name)
                yield from _parsers(inner, (*words, name))


def _arguments(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    for action in parser._actions:  # noqa: SLF001 -- as above
        is_plain = not isinstance(action, argparse._SubParsersAction | argparse._HelpAction)  # noqa: SLF001 -- as above
        if is_plain and action.help is not argparse.SUPPRESS and action.dest not in _EVERYWHERE:
            yield action


def _argument(action: argparse.Action) -> str:
    value = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    if action.choices is not None and action.metavar is None:
        value = "|".join(map(str, action.choices))
    named = ", ".join(action.option_strings)
    takes = f" {value}" if action.option_strings and action.nargs != 0 else "" if action.option_strings else value
    about = (action.help or "") % {**vars(action), "prog": "tool-console"}
    return _item(f"`{named}{takes}`" + (f": {_plain(about)}" if about else ""))
