"""Plugin files on the page of settings: how it stands with each, and whether its code may run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from PySide6.QtCore import QObject, Signal, Slot

from console.language import full_sentence_of, in_english, tr, tr_count
from console.tasks import TaskScope
from tools.errors import DiscoveryError

if TYPE_CHECKING:
    from console.settings.plugin_trust_view import PluginTrustView
    from tools.discovery import LoadReport
    from tools.workbench import TrustedPlace


class PluginPlace(NamedTuple):
    """A plugin file, or a folder of such.

    Attributes:
        state: How it stands with it, in a sentence; empty when that is not known yet.
        is_broken: Whether it could not be loaded, which `state` says then.
        is_trusted: Whether its code may run.
    """

    path: Path
    is_folder: bool
    state: str
    is_broken: bool
    is_trusted: bool

    def matches(self, wanted: Sequence[str]) -> bool:
        """Say whether it is found by these words, in small letters."""
        said = (self.state, tr("trust allow run code plugin"))
        searched = " ".join((str(self.path), *said, *map(in_english, said))).casefold()
        return all(word in searched for word in wanted)


class TrustPort(Protocol):
    """Knows the plugin files."""

    @property
    def reports(self) -> Sequence[LoadReport]:
        """What came of loading each."""
        ...

    async def trusted_places(self) -> Sequence[TrustedPlace]:
        """Return whether the code of each may run, each folder before its files."""
        ...


class PluginTrust(QObject):
    """List plugin files, and let a person say whose code may run.

    Signals:
        trust_requested(Path, bool): The code of this file, or of all files in this folder, shall run or not.
    """

    trust_requested = Signal(object, bool)

    def __init__(self, plugins: TrustPort, scope: TaskScope, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._plugins = plugins
        self._scope = scope
        self._view: PluginTrustView | None = None

    def make_view(self) -> PluginTrustView:
        """Return the list, which takes what is asked for there."""
        from console.settings.plugin_trust_view import PluginTrustView  # noqa: PLC0415 -- see console.startup.loading

        view = self._view = PluginTrustView()
        view.trust_requested.connect(self.trust_requested)
        view.shown.connect(self.look)
        return view

    @Slot()
    def look(self) -> None:
        """Show how it stands now, if somebody has seen the list."""
        if self._view is not None:
            self._scope.start(self._show(self._view), "look at plugin files")  # type: ignore[unused-awaitable]

    async def _show(self, view: PluginTrustView) -> None:
        try:
            places = await self._plugins.trusted_places()
        except DiscoveryError as error:
            view.show_places((), full_sentence_of(error))
            return
        known = {report.source.path: report for report in self._plugins.reports}
        view.show_places(
            tuple(
                PluginPlace(place.path, is_folder=True, state=_FOLDER, is_broken=False, is_trusted=place.is_trusted)
                if place.is_folder
                else _file(place.path, known.get(place.path), may_run=place.is_trusted)
                for place in places
            )
        )


_FOLDER = tr("All plugin files in this folder, also those to come")


def _file(path: Path, report: LoadReport | None, *, may_run: bool) -> PluginPlace:
    is_broken = may_run and report is not None and bool(report.error)
    if not may_run:
        state = tr("Its code may not run, so its tools are not in the tree")
    elif report is None:
        state = ""
    elif report.error:
        state = tr("Could not be loaded: {error}", error=report.error)
    else:
        state = tr_count(len(report.tools), "1 tool", "{count:,} tools")
    return PluginPlace(path, is_folder=False, state=state, is_broken=is_broken, is_trusted=may_run)
