"""What stands behind the Schema tab of one tool."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Any, Final

from PySide6.QtCore import QObject

from console.definition.schema_view import SchemaView
from console.language import tr
from console.tasks import OwnTasks, TaskScope
from tools.errors import ToolError
from tools.schema import SchemaPart, SchemaStyle

SchemaOf = Callable[[str, SchemaPart, SchemaStyle], Awaitable[dict[str, Any] | None]]
"""Returns a schema of a tool from wherever its types are; None for a result that is not there, or not described."""

_log: Final = logging.getLogger(__name__)


class SchemaPresenter(QObject):
    """Fetch the schemas of one tool.

    Args:
        name: The tool's name.
        scope: Owns the tasks of the window.
    """

    def __init__(
        self, name: str, view: SchemaView, schema_of: SchemaOf, scope: TaskScope, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._name = name
        self._view = view
        self._schema_of = schema_of
        self._tasks = OwnTasks(scope)
        view.chosen.connect(self.show_again)
        self.show_again()

    def show_again(self) -> None:
        """Show what is chosen, as it is now."""
        # Whatever was asked for before is out of date.
        self._tasks.cancel()
        self._view.show_waiting()
        self._tasks.start(self._fetch(*self._view.choice), "fetch a schema")

    def close(self) -> None:
        self._tasks.cancel()

    async def _fetch(self, part: SchemaPart, form: SchemaStyle) -> None:
        try:
            schema = await self._schema_of(self._name, part, form)
        except ToolError as error:
            _log.info("the schema of %s cannot be shown", self._name, exc_info=True)
            self._view.show_nothing(
                tr("The schema cannot be shown"),
                tr("{error}. The form JSON Schema 2020-12 needs no types.", error=error),
            )
            return
        if schema is None:
            self._view.show_nothing(
                tr("No output is described"), tr("The envelope tells what its responses hold besides.")
            )
        else:
            self._view.show_schema(schema)
