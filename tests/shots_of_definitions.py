"""Scenes for the pictures: what models are told of a tool, by provider and as schemas."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize

from console.definition.schema_view import SchemaView
from console.definition.wire_view import WireView
from console.viewers import Representation
from tools.schema import SchemaStyle

if TYPE_CHECKING:
    from tests.shots import Stage

__all__ = ["definitions"]

WIRE_TAB, SCHEMA_TAB = 4, 6


async def definitions(stage: Stage) -> None:
    """The Wire tab as declared, rewritten, strict and clean; the Schema tab in its forms."""
    await stage.open(first_time=False)
    window = stage.console.window
    stage.console.open_tools.open("search_files")
    page = stage.page("search_files")
    page.results.show_tab(WIRE_TAB)
    wire = page.findChildren(WireView)[0]
    await stage.until(lambda: wire.shown.content is not None)
    wire.provider.setCurrentIndex(wire.provider.findData("gemini"))
    await stage.until(lambda: wire.choice.provider == "gemini" and "refuses" in wire.headline.text())
    await stage.take("wire")
    wire.rewrite.click()
    await stage.until(lambda: wire.rewrite.text() == "Show as declared")
    await stage.take("wire-rewritten")
    wire.provider.setCurrentIndex(wire.provider.findData("openai"))
    wire.strict.setChecked(True)
    await stage.until(lambda: wire.choice.strict and wire.strict.isVisible())
    await stage.take("wire-strict")
    wire.provider.setCurrentIndex(wire.provider.findData("mcp"))
    await stage.until(lambda: not wire.rewrite.isVisible())
    await stage.take("wire-clean")
    wire.provider.setCurrentIndex(wire.provider.findData("gemini"))
    window.resize(QSize(900, 600))
    await stage.until(wire.rewrite.isVisible)
    await stage.take("wire-small")
    window.resize(QSize(1440, 900))
    await _schemas(stage)
    await stage.close()


async def _schemas(stage: Stage) -> None:
    page, window = stage.page("search_files"), stage.console.window
    window.resize(QSize(900, 600))
    page.results.show_tab(SCHEMA_TAB)
    schema = page.findChildren(SchemaView)[0]
    await stage.until(lambda: schema.shown.content is not None)
    await stage.take("schema-small")
    window.resize(QSize(1440, 900))
    await stage.take("schema")
    schema.part.select(1)
    schema.envelope.setChecked(True)
    schema.style_box.setCurrentIndex(list(SchemaStyle).index(SchemaStyle.OPENAPI))
    await stage.until(lambda: schema.shown.content is not None and "openapi" in schema.shown.content.name)
    schema.shown.choose_form(Representation.TEXT)
    await stage.take("schema-envelope")
    stage.console.open_tools.open("git_status")
    stage.page("git_status").results.show_tab(SCHEMA_TAB)
    other = stage.page("git_status").findChildren(SchemaView)[0]
    other.part.select(1)
    await stage.take("schema-output")
