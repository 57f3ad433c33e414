"""Change the text of a policy file so that a person finds everything else as they wrote it: comments, order, spacing.

A comment that stands directly above a rule belongs to it; other comments stay where they are.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import tomlkit

if TYPE_CHECKING:
    from collections.abc import Mapping

HEADER: Final = "# Rules of Tool Console: which calls run, which are asked about, which are refused.\n"

_HEAD: Final = re.compile(r"\s*\[\[\s*rule\s*\]\]")


class _Block(NamedTuple):
    """One rule in a text, as numbers of lines.

    Attributes:
        start: The first comment directly above it, else its head.
        head: The line that says `[[rule]]`.
        stop: Behind its last key.
    """

    start: int
    head: int
    stop: int


def with_rule(text: str, said: Mapping[str, Any]) -> str:
    """Return a file's text with one more rule at its end.

    Args:
        said: What the rule says, as TOML values.
    """
    text = text.rstrip("\n")
    return f"{text}\n\n{_written(said)}" if text else f"{HEADER}\n{_written(said)}"


def without_rule(text: str, place: int) -> str:
    """Return a file's text without the rule at a place, counted from 0, and without the comment directly above it."""
    lines = text.splitlines(keepends=True)
    block = _blocks(lines)[place]
    stop = block.stop
    while stop < len(lines) and not lines[stop].strip():
        stop += 1
    return "".join(lines[: block.start] + lines[stop:])


def with_replaced_rule(text: str, place: int, said: Mapping[str, Any]) -> str:
    """Return a file's text with another rule at a place; comments beside keys that stay are kept."""
    lines = text.splitlines(keepends=True)
    block = _blocks(lines)[place]
    document = tomlkit.parse("".join(lines[block.head + 1 : block.stop]))
    known = document.unwrap()
    for key in known.keys() - said.keys():
        del document[key]
    for key, value in said.items():
        if key not in known or known[key] != value:
            document[key] = _item(value)
    inside = tomlkit.dumps(document)
    return "".join([*lines[: block.head + 1], inside.rstrip("\n") + "\n", *lines[block.stop :]])


def with_setting(text: str, key: str, value: str) -> str:
    """Return a file's text with another value of what stands above all rules."""
    lines = text.splitlines(keepends=True)
    blocks = _blocks(lines)
    stop = blocks[0].start if blocks else len(lines)
    above = tomlkit.parse("".join(lines[:stop]) or HEADER)
    above[key] = value
    rest = "".join(lines[stop:])
    return tomlkit.dumps(above).rstrip("\n") + ("\n\n" + rest if rest else "\n")


def _blocks(lines: list[str]) -> list[_Block]:
    heads = [number for number, line in enumerate(lines) if _HEAD.match(line)]
    blocks: list[_Block] = []
    for head, following in zip(heads, [*heads[1:], len(lines)], strict=False):
        start, stop = head, following
        while start and lines[start - 1].lstrip().startswith("#"):
            start -= 1
        while stop > head + 1 and _is_empty(lines[stop - 1]):
            stop -= 1
        blocks.append(_Block(start, head, stop))
    return blocks


def _is_empty(line: str) -> bool:
    return not line.strip() or line.lstrip().startswith("#")


def _written(said: Mapping[str, Any]) -> str:
    document = tomlkit.document()
    rules = tomlkit.aot()
    table = tomlkit.table()
    for key, value in said.items():
        table[key] = _item(value)
    rules.append(table)
    document["rule"] = rules
    return tomlkit.dumps(document)


def _item(value: Any) -> Any:
    """Return a value as a person would write it: several conditions one a line."""
    if not isinstance(value, list) or not any(isinstance(part, dict) for part in value):
        return value
    array = tomlkit.array()
    for part in value:
        inline = tomlkit.inline_table()
        inline.update(part)
        array.append(inline)
    return array.multiline(len(value) > 1)
