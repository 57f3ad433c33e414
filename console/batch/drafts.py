"""The open plan brought back at the next start, be it after `kill -9`: from a draft what was not saved of it."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from console.batch.document_presenter import OpenPlan
from console.batch.files_presenter import PlanFilesPresenter
from console.language import tr
from console.tasks import Compute, TaskScope
from tools.atomic_write import write_whole
from tools.batch import BatchPlan
from tools.paths import paths_like

_DAMAGED: Final = ".damaged"


class PlanDraft(NamedTuple):
    """A plan as it was written last.

    Attributes:
        path: Its file; None when it has none yet.
        text: What stood in that file when it was read or saved.
    """

    plan: BatchPlan
    path: Path | None
    text: str
    at: datetime
    kept_in: Path


def _write(draft: PlanDraft) -> None:
    said = {
        "plan": draft.plan.model_dump(mode="json", by_alias=True, exclude_defaults=True),
        "path": None if draft.path is None else str(draft.path),
        "text": draft.text,
        "at": draft.at.isoformat(),
    }
    draft.kept_in.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_whole(draft.kept_in, json.dumps(said, ensure_ascii=False))


def _newest(folder: Path) -> tuple[PlanDraft | None, list[Path]]:
    """Return the newest draft, None when there is none, and where those that cannot be read were put."""
    damaged: list[Path] = []
    for file in sorted(paths_like(folder, "*.json"), reverse=True):
        try:
            said = json.loads(file.read_text("utf-8"))
            path = None if said["path"] is None else Path(said["path"])
            at = datetime.fromisoformat(said["at"]).astimezone(UTC)
            return PlanDraft(BatchPlan.model_validate(said["plan"]), path, str(said["text"]), at, file), damaged
        except OSError:
            continue
        except (ValueError, LookupError, TypeError, RecursionError):
            # Whoever wants to mend it by hand finds it.
            damaged.append(file.replace(file.with_name(file.name + _DAMAGED)))
    return None, damaged


_log = logging.getLogger(__name__)
_PAUSE_MS: Final = 500
"""How long a person pauses before what was written is kept."""


class BatchDrafts(QObject):
    """Keep what would be lost of the open plan."""

    noticed = Signal(str)

    def __init__(
        self,
        opened: OpenPlan,
        files: PlanFilesPresenter,
        folder: Path,
        *,
        compute: Compute,
        scope: TaskScope,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._opened = opened
        self._files = files
        self._folder = folder
        self._compute = compute
        self._scope = scope
        self._file = folder / f"{time.time_ns()}.json"
        self._is_kept = False
        self._turn = asyncio.Lock()
        self._timer = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._timer.timeout.connect(self._on_timer_timeout)
        opened.changed.connect(self._timer.start)
        scope.start(self._restore(), "bring the draft of a plan back")  # type: ignore[unused-awaitable]

    async def keep(self) -> None:
        """Have on disk what would be lost now, and nothing else."""
        self._timer.stop()
        async with self._turn:
            opened = self._opened
            try:
                if opened.document.is_dirty:
                    draft = PlanDraft(opened.plan, opened.path, opened.text, datetime.now(UTC), self._file)
                    await self._compute(_write, draft)
                    self._is_kept = True
                elif self._is_kept:
                    # What is undone may be done again, in a file of its own name.
                    await self._compute(self._file.unlink, True)
                    self._is_kept = False
            except OSError as error:
                _log.warning("the draft of a plan cannot be kept: %s", error)
                self.noticed.emit(
                    tr(
                        "The changes of the plan cannot be kept as a draft: {reason}",
                        reason=error.strerror or error,
                    )
                )

    async def _restore(self) -> None:
        async with self._turn:
            draft, damaged = await self._compute(_newest, self._folder)
            for file in damaged:
                self.noticed.emit(tr("The draft of a plan cannot be read; it is kept as {file}", file=file))
            # Whoever began another plan meanwhile goes on with that; the draft waits for the next start.
            if self._opened.is_in_use:
                return
            if draft is None:
                self._files.reopen_last()
                return
            if not await self._opened.restore(draft.plan, draft.path, draft.text):
                return
            self._file, self._is_kept = draft.kept_in, True
        if self._opened.document.is_dirty:
            self._files.show_draft(draft.at)

    @Slot()
    def _on_timer_timeout(self) -> None:
        self._scope.start(self.keep(), "keep the draft of a plan")  # type: ignore[unused-awaitable]
