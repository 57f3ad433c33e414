"""What stands behind the presets of a page: drafts, the last run, examples, saved requests, what is pasted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QObject, QTimer, Signal

from console.language import sentence_of, tr, tr_count
from console.schema_form import Document, parse_object, write_json
from console.tasks import OwnTasks
from console.tool_page.ports import ExecutionPorts
from console.tool_page.request_files import RequestError, RequestFiles, SavedRequest
from console.tool_page.view import ExecutionView
from tools.card import ToolCard

_KEEP_AFTER_MS: Final = 500


class PresetPresenter(QObject):
    """Fill the arguments of one tool from elsewhere, and keep them for later.

    Secrets are kept nowhere: neither in drafts nor in saved requests.

    Args:
        ports: The rest of the program.
        is_own: Says whether the arguments are the person's own, and not those of a call that is only looked at.

    Signals:
        batch_requested(dict): Add a step with these arguments to the plan that is open.
    """

    batch_requested = Signal(dict)

    def __init__(
        self,
        tool: ToolCard,
        view: ExecutionView,
        ports: ExecutionPorts,
        is_own: Callable[[], bool],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._tool = tool
        self._view = view
        self._ports = ports
        self._is_own = is_own
        self._document: Document = view.document
        self._place = ""
        self._deleted: tuple[str, str] | None = None
        self._tasks = OwnTasks(ports.scope)
        self._keeper = QTimer(self, singleShot=True, interval=_KEEP_AFTER_MS)
        self._keeper.timeout.connect(self.keep_draft)
        self._bring_back()
        self._unsubscribe = self._document.subscribe(self._on_document_changed)
        arguments, saved = view.arguments, view.arguments.saved
        view.batch_requested.connect(self._on_view_batch_requested)
        view.arguments.reset.clicked.connect(self._on_view_reset_requested)
        view.notice.undo_requested.connect(self._on_view_undo_requested)
        view.example_chosen.connect(self._on_view_example_chosen)
        view.editor.pasted.connect(self._on_editor_pasted)
        arguments.last_run_requested.connect(self._on_arguments_last_run_requested)
        saved.wanted.connect(self._on_saved_wanted)
        saved.name_wanted.connect(self._on_saved_name_wanted)
        saved.save_requested.connect(self._on_saved_save_requested)
        saved.open_requested.connect(self._on_saved_open_requested)
        saved.rename_requested.connect(self._on_saved_rename_requested)
        saved.delete_requested.connect(self._on_saved_delete_requested)
        saved.undo_requested.connect(self._on_saved_undo_requested)
        arguments.show_last_run(known=self._last_run() is not None)

    def adopt(self, tool: ToolCard) -> None:
        self._tool = tool

    def fill_example(self) -> None:
        """Fill the arguments with the tool's first example; without one nothing happens."""
        for example in self._tool.spec.good_examples[:1]:
            self._on_view_example_chosen(example.input)

    def fill_exactly(self, arguments: Mapping[str, Any], said: str) -> None:
        """Fill the arguments with exactly these, and say where they come from; what they leave out is left out."""
        self._fill(arguments, said)

    def keep_run(self) -> None:
        self._ports.drafts.set_last_run(self._tool.name, write_json(self._public(), indent=None))
        self._view.arguments.show_last_run(known=True)
        self.keep_draft()

    def keep_draft(self) -> None:
        """Keep what stands in the form, for the next start."""
        self._keeper.stop()
        if self._is_own():  # to look at a call is not to use its arguments
            hidden = self._document.value().keys() - self._public().keys()
            # What is not understood yet may hold a secret anywhere.
            text = self._document.kept(hidden, as_typed=self._tool.masking is None)
            self._ports.drafts.set_draft(self._tool.name, text)

    def close(self) -> None:
        """Keep what is not kept yet, and let go of the page."""
        self._unsubscribe()
        self._tasks.cancel()
        if self._keeper.isActive():
            self.keep_draft()

    def _bring_back(self) -> None:
        """Show what stood in the form when the program ended, or else the arguments of the last run."""
        kept = self._ports.drafts.draft(self._tool.name)
        if kept is not None and self._document.restore(kept):
            return
        last = self._last_run()
        if last is not None:
            self._document.restore(write_json({"arguments": last}))

    def _last_run(self) -> dict[str, Any] | None:
        text = self._ports.drafts.last_run(self._tool.name)
        return None if text is None else parse_object(text)[0]

    def _public(self) -> dict[str, Any]:
        """Return the arguments without those that hold a secret."""
        value = self._document.value()
        if self._tool.masking is None:
            return value
        shown = self._tool.masking.arguments(value, fit=False)
        return {name: kept for name, kept in value.items() if shown[name] == kept}

    def _hidden(self) -> list[str]:
        return [name for name in self._document.value() if name not in self._public()]

    def _on_view_batch_requested(self) -> None:
        if hidden := self._hidden():
            self._say(
                tr_count(
                    len(hidden),
                    "{names} is secret and not in the plan, whose file may be shared",
                    "{names} are secret and not in the plan, whose file may be shared",
                    names=", ".join(hidden),
                )
            )
        self.batch_requested.emit(self._public())

    def _files(self) -> RequestFiles:
        return RequestFiles(self._ports.project_dir() or Path.home())

    async def _list(self) -> None:
        requests = await self._ports.compute(self._files().of, self._tool.name)
        self._view.arguments.saved.show_requests(requests)

    async def _ask_name(self) -> None:
        if self._ports.project_dir() is None:
            self._say(tr("Requests are saved in the project folder, and no project is open"))
            return
        await self._list()
        hidden = self._hidden()
        note = tr_count(
            len(hidden),
            "{names} is secret and not saved: the file may be shared.",
            "{names} are secret and not saved: the file may be shared.",
            names=", ".join(hidden),
        )
        self._view.arguments.saved.ask_name(self._place, note if hidden else "")

    def _change(self, work: Callable[[], Any], done: Callable[[Any], None], name: str) -> None:
        self._tasks.start(self._carry_out(work, done), f"{name} of {self._tool.name}")

    async def _carry_out(self, work: Callable[[], Any], done: Callable[[Any], None]) -> None:
        """Change files, say what came of it, and list what is there now."""
        try:
            outcome = await self._ports.compute(work)
        except RequestError as error:
            self._say(sentence_of(error))
        else:
            done(outcome)
        await self._list()

    def _say(self, text: str, *, undo: bool = False) -> None:
        if not self._view.arguments.saved.show_outcome(text, undo=undo):
            self._view.notice.show_text(text)

    def _fill(self, arguments: Mapping[str, Any], words: str) -> None:
        self._document.replace(arguments)
        self._view.notice.show_text(words, undo=True)

    def _on_document_changed(self) -> None:
        self._view.notice.show_text("")
        self._keeper.start()

    def _on_view_reset_requested(self) -> None:
        self._fill(self._document.initial_value(), tr("All arguments are back at their defaults."))

    def _on_view_undo_requested(self) -> None:
        self._document.undo()
        self._view.notice.show_text("")

    def _on_view_example_chosen(self, arguments: Mapping[str, Any]) -> None:
        # An example names what matters; the rest of the form stays at its defaults.
        self._fill({**self._document.initial_value(), **arguments}, tr("The example filled the arguments."))

    def _on_arguments_last_run_requested(self) -> None:
        last = self._last_run()
        if last is not None:
            self._fill(last, tr("These are the arguments of the last run."))

    def _on_editor_pasted(self, count: int) -> None:
        self._view.notice.show_text(
            tr_count(
                count,
                "The pasted JSON replaced the arguments: {count} argument.",
                "The pasted JSON replaced the arguments: {count} arguments.",
            ),
            undo=True,
        )

    def _on_saved_wanted(self) -> None:
        self._tasks.start(self._list(), f"list the saved requests of {self._tool.name}")

    def _on_saved_name_wanted(self) -> None:
        self._tasks.start(self._ask_name(), f"ask for a name of {self._tool.name}")

    def _on_saved_save_requested(self, place: str, replace: bool) -> None:
        request = SavedRequest(place, self._tool.name, self._public())

        def done(_: object) -> None:
            self._place = place
            self._view.arguments.saved.show_saved()
            self._view.notice.show_text(tr("Saved as {place!r}.", place=place))

        self._change(partial(self._files().save, request, replace=replace), done, "save a request")

    def _on_saved_open_requested(self, place: str) -> None:
        request = next((one for one in self._view.arguments.saved.requests if one.place == place), None)
        if request is not None and not request.problem:
            self._place = place
            self._fill(request.arguments, tr("{place!r} filled the arguments.", place=place))

    def _on_saved_rename_requested(self, place: str, new: str) -> None:
        def done(_: object) -> None:
            self._place = new if self._place == place else self._place
            self._view.arguments.saved.show_moved(new)
            self._say(tr("{place!r} is called {new!r} now.", place=place, new=new))

        self._change(partial(self._files().rename, place, new), done, "rename a request")

    def _on_saved_delete_requested(self, place: str) -> None:
        def done(text: str) -> None:
            self._deleted = (place, text)
            self._say(tr("{place!r} was deleted.", place=place), undo=True)

        self._change(partial(self._files().delete, place), done, "delete a request")

    def _on_saved_undo_requested(self) -> None:
        if self._deleted is None:
            return
        place, text = self._deleted

        def done(_: object) -> None:
            self._deleted = None
            self._view.arguments.saved.show_moved(place)
            self._say(tr("{place!r} is back.", place=place))

        self._change(partial(self._files().restore, place, text), done, "restore a request")
