"""Make of a result what a form shows. All of it takes time, so it runs away from the window's thread."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QSize, Qt
from PySide6.QtGui import QImage, QImageReader

from console.json_view import SchemaHints, TextSpan, code_spans, json_text
from console.viewers.details import details_of, hex_lines
from console.viewers.forms import Content, ContentKind, ResultForm, delimiter_of, language_of, table_place
from console.viewers.reading import read_json
from console.viewers.tabular import TableContent, table_of, table_of_csv
from tools.errors import DeclarationError
from tools.schema import mismatches

_LARGEST_SIDE: Final = 4096


class NotShownError(ValueError):
    """A result does not fit a form after all; the message is for a person."""


class Source(NamedTuple):
    """A text with its colours.

    Attributes:
        text: The text.
        spans: The coloured parts of each line.
    """

    text: str
    spans: Sequence[Sequence[TextSpan]]


def prepared(content: Content, form: ResultForm) -> Any:
    """Return what a form shows of a result.

    Args:
        content: The result.
        form: One of its forms.

    Raises:
        NotShownError: It does not fit after all.
    """
    return _MAKERS[form](content)


def hints_of(schema: Mapping[str, Any], value: Any) -> SchemaHints:
    """Return what a schema says of a result; a schema that cannot be read says nothing.

    Args:
        schema: The schema.
        value: The result.
    """
    try:
        found = mismatches(schema, value)
    except DeclarationError:
        return SchemaHints({})
    return SchemaHints(schema, {one.keys: one.message for one in reversed(found.found)})


def _tree(content: Content) -> Any:
    if content.kind is ContentKind.JSON:
        return content.value
    try:
        return read_json(content.value)
    except (ValueError, RecursionError) as error:
        msg = f"The text is no JSON: {error}."
        raise NotShownError(msg) from error


def _table(content: Content) -> TableContent:
    if content.kind is ContentKind.TEXT and (delimiter := delimiter_of(content)) and not _is_json(content):
        try:
            return table_of_csv(content.value, delimiter)
        except ValueError as error:
            raise NotShownError(str(error)) from error
    value = _tree(content)
    place = content.place if content.place is not None else table_place(value)
    if place is None:
        msg = "There is no list of objects to be shown as a table."
        raise NotShownError(msg)
    for key in place:
        value = value[key]
    return table_of(value, place)


def _is_json(content: Content) -> bool:
    return language_of(content).endswith(".json")


def _text(content: Content) -> str:
    if content.kind is ContentKind.JSON:
        try:
            return json_text(content.value)
        except RecursionError as error:
            msg = "Too many values inside each other to be written as text. The tree shows them one by one."
            raise NotShownError(msg) from error
    if language_of(content).endswith((".html", ".htm")):
        return _text_of_page(content.value)
    return str(content.value)


def _text_of_page(page: str) -> str:
    """Return what a person would read of a page of HTML."""
    from selectolax.lexbor import LexborHTMLParser  # noqa: PLC0415 -- few results are pages

    body = LexborHTMLParser(page)
    body.strip_tags(["script", "style", "noscript", "template"], recursive=True)
    lines = (line.strip() for line in (body.body or body.root).text(separator="\n").splitlines())  # type: ignore[union-attr]
    return "\n".join(line for line in lines if line)


def _source(content: Content) -> Source:
    text = content.value.decode(errors="replace") if isinstance(content.value, bytes) else content.value
    return Source(text, code_spans(text.split("\n"), language_of(content)))


def _rendered(content: Content) -> str:
    return str(content.value)


def _picture(content: Content) -> QImage:
    buffer = QBuffer()
    buffer.setData(QByteArray(content.value))
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer)
    reader.setAutoTransform(True)
    size = reader.size()
    if size.width() > _LARGEST_SIDE or size.height() > _LARGEST_SIDE:
        limit = QSize(_LARGEST_SIDE, _LARGEST_SIDE)
        reader.setScaledSize(size.scaled(limit, Qt.AspectRatioMode.KeepAspectRatio))
    image = reader.read()
    if image.isNull():
        msg = f"The picture cannot be shown: {reader.errorString().rstrip('.')}."
        raise NotShownError(msg)
    return image


def _details(content: Content) -> list[tuple[str, str]]:
    return details_of(content.name, content.mime_type, content.value)


def _bytes(content: Content) -> str:
    return hex_lines(content.value)


_MAKERS: Final[Mapping[ResultForm, Callable[[Content], Any]]] = MappingProxyType(
    {
        ResultForm.TREE: _tree,
        ResultForm.TABLE: _table,
        ResultForm.RENDERED: _rendered,
        ResultForm.PICTURE: _picture,
        ResultForm.DETAILS: _details,
        ResultForm.TEXT: _text,
        ResultForm.SOURCE: _source,
        ResultForm.BYTES: _bytes,
    }
)
