"""The Wire and Schema tabs of open tools: made when somebody looks, and kept in step with the tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject

from console.call.view import DocumentPage
from console.tasks import Compute, TaskScope
from console.tool_list import ToolList

if TYPE_CHECKING:
    from console.definition.schema_presenter import SchemaOf, SchemaPresenter
    from console.definition.wire_presenter import WirePresenter
    from console.preferences import Preferences
    from tools.card import ToolCard


class DefinitionTabs(NamedTuple):
    """The tabs of one tool.

    Attributes:
        wire: What each provider is sent.
        schema: What it takes and returns.
    """

    wire: DocumentPage
    schema: DocumentPage


class _OpenTabs(QObject):
    """The tabs of one tool, with what stands behind those that were looked at."""

    def __init__(self, tool: ToolCard, pane: DefinitionPane) -> None:
        super().__init__(pane)
        self._tool = tool
        self._pane = pane
        self._wire: WirePresenter | None = None
        self._schema: SchemaPresenter | None = None
        self.tabs = DefinitionTabs(
            DocumentPage(f"Wire format of {tool.name}", "definition"), DocumentPage(f"Schema of {tool.name}", "schema")
        )
        self.tabs.wire.wanted.connect(self._on_wire_wanted)
        self.tabs.schema.wanted.connect(self._on_schema_wanted)

    def follow(self, tool: ToolCard) -> None:
        """Show the tool as it is now, if it changed."""
        if tool is self._tool:
            return
        self._tool = tool
        if self._wire is not None:
            self._wire.adopt(tool)
        if self._schema is not None:
            self._schema.show_again()

    def close(self) -> None:
        for presenter in (self._wire, self._schema):
            if presenter is not None:
                presenter.close()

    def _on_wire_wanted(self) -> None:
        from console.definition.wire_presenter import WirePresenter  # noqa: PLC0415 -- see console.app.loading
        from console.definition.wire_rows import PROVIDER, WireChoice, provider_titles  # noqa: PLC0415 -- as above
        from console.definition.wire_view import WireView  # noqa: PLC0415 -- as above

        pane = self._pane
        providers = dict(provider_titles())
        known = pane.preferences.choice(PROVIDER, providers, WireChoice().provider)
        view = WireView(self._tool.name, providers.items(), WireChoice(known))
        self.tabs.wire.fill_with(view, view.shown)
        self._wire = WirePresenter(
            self._tool, view, preferences=pane.preferences, compute=pane.compute, scope=pane.scope, parent=self
        )

    def _on_schema_wanted(self) -> None:
        from console.definition.schema_presenter import SchemaPresenter  # noqa: PLC0415 -- see console.app.loading
        from console.definition.schema_view import SchemaView  # noqa: PLC0415 -- as above

        view = SchemaView(self._tool.name)
        self.tabs.schema.fill_with(view, view.shown)
        self._schema = SchemaPresenter(self._tool.name, view, self._pane.schema_of, self._pane.scope, parent=self)


class DefinitionPane(QObject):
    """Own the tabs that say what models are told of the open tools.

    Args:
        tools: The tools.
        schema_of: Gives the schemas of a tool.
        preferences: Remember the provider that was looked at.
        compute: Runs what takes more than a frame.
        scope: Owns the tasks of the window.
        parent: Its owner.
    """

    def __init__(
        self,
        tools: ToolList,
        schema_of: SchemaOf,
        *,
        preferences: Preferences,
        compute: Compute,
        scope: TaskScope,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._tools = tools
        self.schema_of = schema_of
        self.preferences = preferences
        self.compute = compute
        self.scope = scope
        self._open: dict[str, _OpenTabs] = {}

    def make_tabs(self, tool: ToolCard) -> DefinitionTabs:
        opened = self._open[tool.name] = _OpenTabs(tool, self)
        return opened.tabs

    def drop_tabs(self, tool: str) -> None:
        """Let a tool's tabs go."""
        opened = self._open.pop(tool, None)
        if opened is not None:
            opened.close()
            opened.deleteLater()

    def refresh(self) -> None:
        """Show changed tools as they are now."""
        for name, opened in self._open.items():
            tool = self._tools.lookup(name)
            if tool is not None:
                opened.follow(tool)

    def close(self) -> None:
        """Let go of everything under way."""
        for name in tuple(self._open):
            self.drop_tabs(name)
