"""Make the text of the chosen prompt, and say what went wrong."""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter
from typing import Any

from PySide6.QtCore import QObject, Slot

from console.language import sentence_of
from console.prompts.ports import PromptPort
from console.prompts.rows import PromptReading, reading_of
from console.prompts.view import PromptsView
from console.tasks import Compute, OwnTasks, TaskScope
from tools.errors import ArgumentsError, ToolError


class PromptsPresenter(QObject):
    """Stand between prompts and a view of them.

    Args:
        scope: Owns the tasks of the window.
        compute: Runs what takes more than a frame.
    """

    def __init__(
        self,
        view: PromptsView,
        port: PromptPort,
        *,
        scope: TaskScope,
        compute: Compute,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._view = view
        self._port = port
        self._compute = compute
        self._texts = OwnTasks(scope)
        self._proposals = OwnTasks(scope)
        view.get_requested.connect(self._on_view_get_requested)
        view.left.connect(self._texts.cancel)
        view.completion_wanted.connect(self._on_view_completion_wanted)

    def close(self) -> None:
        """Let go of what is under way."""
        self._texts.cancel()
        self._proposals.cancel()

    async def _get(self, name: str, arguments: Mapping[str, Any]) -> None:
        began = perf_counter()
        try:
            said = await self._port.render(name, arguments)
            reading: PromptReading = await self._compute(reading_of, said, (perf_counter() - began) * 1000)
        except ArgumentsError as error:
            self._view.show_problem("; ".join(map(str, error.problems)))
        except ToolError as error:
            self._view.show_problem(sentence_of(error))
        else:
            self._view.show_reading(reading)

    async def _complete(self, name: str, argument: str, written: str, others: Mapping[str, str]) -> None:
        try:
            values = await self._port.complete(name, argument, written, others)
        except ToolError:
            # It is written without proposals; that a server does not answer is said when the text is wanted.
            values = ()
        self._view.completions.show_values(argument, written, values)

    @Slot(str, dict)
    def _on_view_get_requested(self, name: str, arguments: dict[str, Any]) -> None:
        self._view.show_getting()
        self._texts.start(self._get(name, arguments), f"get {name}")

    @Slot(str, str, str, dict)
    def _on_view_completion_wanted(self, name: str, argument: str, written: str, others: dict[str, str]) -> None:
        self._proposals.start(self._complete(name, argument, written, others), f"complete {argument}")
