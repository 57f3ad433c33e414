"""Text that comes as an argument or from a file."""

from __future__ import annotations

import codecs
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from tools.catalog._bounds import readable_size
from tools.catalog._paths import need_file, refusals, shown
from tools.errors import ToolFailure

if TYPE_CHECKING:
    from tools.catalog._bounds import Watcher

SAMPLE_BYTES: Final = 64 * 1024
_BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CONTROLS: Final = bytes(set(range(32)) - {7, 8, 9, 10, 12, 13, 27})
_MOST_CONTROLS: Final = 0.01
_WESTERN: Final = "cp1252"
_ASCII: Final = 127
_FEW: Final = 20
_SMALL_SHARE: Final = 0.25
_MAINFRAME: Final = ["cp037", "cp1026", "cp1140", "cp273", "cp424", "cp500", "cp875"]
"""Encodings in which plain ASCII looks like other letters; no file on a desktop is in one."""


class DecodedText(NamedTuple):
    """A decoded file.

    Attributes:
        exact: Whether every byte could be decoded; others became U+FFFD.
    """

    text: str
    encoding: str
    exact: bool


def encoding_of(sample: bytes, *, whole: bool) -> str | None:
    """Return the encoding of a text from its first bytes, or None when it is no text.

    Args:
        sample: The first bytes.
        whole: Whether that is all; else the last character may be incomplete.
    """
    for mark, encoding in _BOMS:
        if sample.startswith(mark):
            return encoding
    if b"\0" in sample:
        return None
    try:
        codecs.getincrementaldecoder("utf-8")().decode(sample, final=whole)
    except UnicodeDecodeError:
        pass
    else:
        return "utf-8"
    controls = len(sample) - len(sample.translate(None, _CONTROLS))
    if controls > len(sample) * _MOST_CONTROLS:
        return None
    beyond_ascii = sum(byte > _ASCII for byte in sample)
    if beyond_ascii < _FEW and beyond_ascii < len(sample) * _SMALL_SHARE and _is_western(sample):
        # A few signs fit many encodings equally well; then it is the one most such files are in.
        return _WESTERN
    import charset_normalizer  # noqa: PLC0415 -- few files are not UTF-8

    guesses = charset_normalizer.from_bytes(sample, cp_exclusion=_MAINFRAME)
    best = guesses.best()
    if best is None:
        return None
    western = any(_WESTERN in guess.could_be_from_charset and guess.chaos <= best.chaos for guess in guesses)
    return _WESTERN if western else best.encoding


def _is_western(sample: bytes) -> bool:
    try:
        sample.decode(_WESTERN)
    except UnicodeDecodeError:
        return False
    return True


def file_encoding(path: Path) -> str | None:
    """Return the encoding of a file from its first bytes, or None when it is no text.

    Raises:
        OSError: It cannot be read.
    """
    with path.open("rb") as stream:
        sample = stream.read(SAMPLE_BYTES)
    return encoding_of(sample, whole=len(sample) < SAMPLE_BYTES)


def decode(content: bytes, encoding: str | None = None) -> DecodedText | None:
    """Return the text of a file's content, or None when it is no text.

    Args:
        content: All bytes.
        encoding: What it is in; None finds out.
    """
    encoding = encoding or encoding_of(content[:SAMPLE_BYTES], whole=len(content) <= SAMPLE_BYTES)
    if encoding is None:
        return None
    try:
        return DecodedText(content.decode(encoding), encoding, exact=True)
    except UnicodeDecodeError:
        return DecodedText(content.decode(encoding, "replace"), encoding, exact=False)


def need_encoding(name: str) -> str:
    """Return the canonical name of an encoding.

    Raises:
        ToolFailure: No text encoding has that name.
    """
    try:
        found = codecs.lookup(name)
        "".encode(name)
    except (LookupError, ValueError) as error:
        raise ToolFailure(
            f"{name!r} is no text encoding; use utf-8, utf-16, latin-1, cp1252 or another known one"
        ) from error
    return found.name


MAX_DOCUMENT_BYTES: Final = 16_000_000
"""The largest file that is taken in one piece."""


class LoadedDocument(NamedTuple):
    """A text and where it is from.

    Attributes:
        name: What it is called in messages.
        path: The file; None for an argument.
    """

    text: str
    name: str
    path: Path | None


def document(text: str | None, path: Path | None, ctx: Watcher, *, text_name: str = "text") -> LoadedDocument:
    """Return the text of an argument or of a file, whichever is given.

    Args:
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


def file_text(path: Path, ctx: Watcher) -> str:
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
