"""Text that comes as an argument or from a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from tools.catalog._bounds import readable_size
from tools.catalog._decoding import decode
from tools.catalog._paths import need_file, refusals, shown
from tools.errors import ToolFailure

if TYPE_CHECKING:
    from tools.context import ToolContext


MAX_DOCUMENT_BYTES: Final = 16_000_000
"""The largest file that is taken in one piece."""


class LoadedDocument(NamedTuple):
    """A text and where it is from.

    Attributes:
        text: Its characters.
        name: What it is called in messages.
        path: The file; None for an argument.
    """

    text: str
    name: str
    path: Path | None


def document(text: str | None, path: Path | None, ctx: ToolContext, *, text_name: str = "text") -> LoadedDocument:
    """Return the text of an argument or of a file, whichever is given.

    Args:
        text: The argument.
        path: The file.
        ctx: The running call.
        text_name: What the argument is called.

    Raises:
        ToolFailure: Both or neither are given, or the file is missing, too large or no text.
    """
    path_name = "path" if text_name == "text" else f"{text_name}_path"
    if (text is None) == (path is None):
        came = "neither" if text is None else "both"
        raise ToolFailure(f"expected {text_name} or {path_name}, got {came}; pass exactly one")
    if path is None:
        return LoadedDocument(text or "", f"the {text_name}", None)
    return LoadedDocument(file_text(path, ctx), repr(shown(path, ctx.project_dir)), path)


def file_text(path: Path, ctx: ToolContext) -> str:
    """Return the text of a whole file.

    Raises:
        ToolFailure: It is missing, too large or no text.
    """
    name = shown(path, ctx.project_dir)
    size_bytes = need_file(path, ctx.project_dir).st_size
    if size_bytes > MAX_DOCUMENT_BYTES:
        most = readable_size(MAX_DOCUMENT_BYTES)
        raise ToolFailure(f"{name!r} has {readable_size(size_bytes)}; at most {most} can be read at once")
    with refusals(f"read {name!r}"):
        found = decode(path.read_bytes())
    if found is None:
        raise ToolFailure(f"expected a text file, but {name!r} is none; file_info says what it is")
    if not found.exact:
        ctx.log("warning", f"some bytes of {name} are not {found.encoding}; they are read as \ufffd")
    return found.text
