"""The Wire and Schema tabs of open tools, made when somebody looks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from console.language import tr
from console.tasks import Compute, TaskScope

if TYPE_CHECKING:
    from console.definition.schema_presenter import SchemaOf, SchemaPresenter
    from console.definition.wire_presenter import WirePresenter
    from console.preferences import Preferences
    from tools.card import ToolCard


class DefinitionTabs(QObject):
    """The tabs of one tool, with what stands behind those that were looked at.

    Attributes:
        wire: What each provider is sent.
        schema: What it takes and returns.
    """

    def __init__(self, tool: ToolCard, pane: DefinitionPane) -> None:
        from console.call_result.view import DocumentPage  # noqa: PLC0415 -- see console.startup.loading

        super().__init__(pane)
        self._tool = tool
        self._pane = pane
        self._wire_presenter: WirePresenter | None = None
        self._schema_presenter: SchemaPresenter | None = None
        self.wire = DocumentPage(tr("Wire format of {name}", name=tool.name), "definition")
        self.schema = DocumentPage(tr("Schema of {name}", name=tool.name), "schema")
        self.wire.wanted.connect(self._on_wire_wanted)
        self.schema.wanted.connect(self._on_schema_wanted)

    def follow(self, tool: ToolCard) -> None:
        """Show the tool as it is now, if it changed."""
        if tool is self._tool:
            return
        self._tool = tool
        if self._wire_presenter is not None:
            self._wire_presenter.adopt(tool)
        if self._schema_presenter is not None:
            self._schema_presenter.show_again()

    def close(self) -> None:
        for presenter in (self._wire_presenter, self._schema_presenter):
            if presenter is not None:
                presenter.close()

    def _on_wire_wanted(self) -> None:
        from console.definition.wire_presenter import WirePresenter  # noqa: PLC0415 -- see console.startup.loading
        from console.definition.wire_rows import PROVIDER, WireChoice, provider_titles  # noqa: PLC0415 -- as above
        from console.definition.wire_view import WireView  # noqa: PLC0415 -- as above

        pane = self._pane
        providers = dict(provider_titles())
        known = pane.preferences.choice(PROVIDER, providers, WireChoice().provider)
        view = WireView(self._tool.name, providers.items(), WireChoice(known))
        self.wire.fill_with(view, view.shown)
        self._wire_presenter = WirePresenter(
            self._tool, view, preferences=pane.preferences, compute=pane.compute, scope=pane.scope, parent=self
        )

    def _on_schema_wanted(self) -> None:
        from console.definition.schema_presenter import SchemaPresenter  # noqa: PLC0415 -- see console.startup.loading
        from console.definition.schema_view import SchemaView  # noqa: PLC0415 -- as above

        view = SchemaView(self._tool.name)
        self.schema.fill_with(view, view.shown)
        self._schema_presenter = SchemaPresenter(
            self._tool.name, view, self._pane.schema_of, self._pane.scope, parent=self
        )


class DefinitionPane(QObject):
    """Make the tabs that say what models are told of the open tools.

    Args:
        schema_of: Gives the schemas of a tool.
        preferences: Remember the provider that was looked at.
        compute: Runs what takes more than a frame.
        scope: Owns the tasks of the window.
    """

    def __init__(
        self,
        schema_of: SchemaOf,
        *,
        preferences: Preferences,
        compute: Compute,
        scope: TaskScope,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.schema_of = schema_of
        self.preferences = preferences
        self.compute = compute
        self.scope = scope

    def make_tabs(self, tool: ToolCard) -> DefinitionTabs:
        return DefinitionTabs(tool, self)
