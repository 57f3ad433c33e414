"""Read any JSON result: as a tree, as text, with a preview."""

from console.json_view.finding import SchemaHints
from console.json_view.model import JsonTreeModel, WritePath
from console.json_view.pretty import (
    is_container,
    is_list_of_rows,
    json_path,
    json_text,
    plain_text,
    scalar_text,
    size_words,
    summary,
)
from console.json_view.preview import Excerpt, PreviewPane, excerpt_of
from console.json_view.text_lines import SpanKind, TextSpan, code_spans, json_spans, load_languages
from console.json_view.text_view import TextView
from console.json_view.tree_view import JsonTreeView

__all__ = [
    "Excerpt",
    "JsonTreeModel",
    "JsonTreeView",
    "PreviewPane",
    "SchemaHints",
    "SpanKind",
    "TextSpan",
    "TextView",
    "WritePath",
    "code_spans",
    "excerpt_of",
    "is_container",
    "is_list_of_rows",
    "json_path",
    "json_spans",
    "json_text",
    "load_languages",
    "plain_text",
    "scalar_text",
    "size_words",
    "summary",
]
