"""Change values in JSON, YAML and TOML texts and leave the rest as it is written."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from typing import Any, Final

from tools.catalog._formats import Format, json_text, parse_json
from tools.errors import ToolFailure

_INDENT: Final = re.compile(r"^[\[{]\r?\n( +)\S")
_LIST_INDENT: Final = re.compile(r"^(?P<outer> *)[^\s#-][^\n]*:[ \t]*\n(?P<inner> *)- ", re.MULTILINE)


def edited(text: str, kind: Format, name: str, values: Mapping[str, Any], removed: list[str]) -> str:
    """Return a text with some values set and some removed; comments and order stay.

    Args:
        name: What it is called in messages.
        values: New values by their JSON Pointers; `-` at the end of a list adds to it.

    Raises:
        ToolFailure: The text is wrong, or a pointer leads nowhere.
    """
    try:
        return _EDITORS[kind](text, name, values, removed)
    except KeyError as error:
        raise ToolFailure(f"expected JSON, YAML or TOML, got {kind.value}") from error
    except (RecursionError, ValueError, TypeError) as error:
        words = str(error).split("\n", 1)[0]
        raise ToolFailure(f"{name} cannot be changed so: {words}") from error


def _json(text: str, name: str, values: Mapping[str, Any], removed: list[str]) -> str:
    data = _applied(parse_json(text, name), values, removed, dict)
    found = _INDENT.search(text.lstrip("\ufeff \t\r\n"))
    written = json_text(data, len(found[1]) if found else None)
    return written + ("\n" if text.endswith("\n") else "")


def _toml(text: str, name: str, values: Mapping[str, Any], removed: list[str]) -> str:
    import tomlkit  # noqa: PLC0415 -- few tools need it
    from tomlkit.exceptions import TOMLKitError  # noqa: PLC0415 -- as above

    try:
        data = tomlkit.parse(text)
        return tomlkit.dumps(_applied(data, values, removed, tomlkit.table))
    except TOMLKitError as error:
        raise ToolFailure(f"{name} is no TOML: {error}") from error


def _yaml(text: str, name: str, values: Mapping[str, Any], removed: list[str]) -> str:
    from ruamel.yaml import YAML  # noqa: PLC0415 -- few tools need it
    from ruamel.yaml.error import YAMLError  # noqa: PLC0415 -- as above

    writer = YAML()
    writer.preserve_quotes = True
    writer.width = 4096
    found = _LIST_INDENT.search(text)
    offset = len(found["inner"]) - len(found["outer"]) if found else 0
    writer.indent(mapping=2, sequence=2 + offset, offset=offset)
    try:
        data = writer.load(text)
    except (YAMLError, ValueError) as error:
        raise ToolFailure(f"{name} is no YAML: {' '.join(str(error).split())[:300]}") from error
    stream = io.StringIO()
    writer.dump(_applied({} if data is None else data, values, removed, dict), stream)
    return stream.getvalue()


_EDITORS: Final = {Format.JSON: _json, Format.TOML: _toml, Format.YAML: _yaml}


def _applied(data: Any, values: Mapping[str, Any], removed: list[str], new: Any) -> Any:
    for pointer, value in values.items():
        parts = _parts(pointer)
        if not parts:
            raise ToolFailure("the pointer '' means the whole document; write_file replaces it")
        _set(_holder(data, parts, new, pointer), parts[-1], value, pointer)
    for pointer in removed:
        parts = _parts(pointer)
        holder = _holder(data, parts, None, pointer)
        place = _place(holder, parts[-1], pointer, adds=False) if parts else None
        if place is None or (isinstance(holder, Mapping) and place not in holder):
            raise ToolFailure(f"there is no {pointer!r} to remove")
        del holder[place]
    return data


def _parts(pointer: str) -> list[str]:
    """Return the names in a JSON Pointer. Source: RFC 6901."""
    if pointer == "":
        return []
    if not pointer.startswith("/"):
        raise ToolFailure(f"expected a JSON Pointer such as /servers/0/port, got {pointer!r}")
    return [part.replace("~1", "/").replace("~0", "~") for part in pointer[1:].split("/")]


def _holder(data: Any, parts: list[str], new: Any, pointer: str) -> Any:
    """Return what holds the last of some names; missing objects on the way are made where new is given."""
    for part in parts[:-1]:
        place = _place(data, part, pointer, adds=False)
        if isinstance(data, Mapping) and place not in data:
            if new is None:
                raise ToolFailure(f"there is no {pointer!r} to remove")
            data[place] = new()  # type: ignore[index]
        data = data[place]
    return data


def _set(holder: Any, part: str, value: Any, pointer: str) -> None:
    place = _place(holder, part, pointer, adds=True)
    if isinstance(holder, list) and place == len(holder):
        holder.append(value)
    else:
        holder[place] = value


def _place(holder: Any, part: str, pointer: str, *, adds: bool) -> Any:
    if isinstance(holder, Mapping):
        # A number may be the name of something in YAML.
        number = int(part) if part.isascii() and part.isdigit() and len(part) < 10 else None  # noqa: PLR2004 -- short ones
        return number if part not in holder and number in holder else part
    if not isinstance(holder, list):
        raise ToolFailure(f"{pointer!r} leads into a value that is neither an object nor a list")
    if part == "-" and adds:
        return len(holder)
    number = int(part) if part.isascii() and part.isdigit() and len(part) < 10 else -1  # noqa: PLR2004 -- as above
    if not 0 <= number < len(holder) + adds:
        raise ToolFailure(f"{pointer!r} leads to item {part!r} of a list with {len(holder):,}; the first is 0")
    return number
