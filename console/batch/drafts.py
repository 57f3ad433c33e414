"""Plans that are not saved yet, kept on disk while they are written."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from tools.batch import BatchPlan
from tools.whole_file import write_whole

_DAMAGED: Final = ".damaged"


class PlanDraft(NamedTuple):
    """A plan as it was written last.

    Attributes:
        path: Its file; None when it has none yet.
        text: What stood in that file when it was read or saved.
        at: When it was changed last.
        kept_in: Where the draft is kept.
    """

    plan: BatchPlan
    path: Path | None
    text: str
    at: datetime
    kept_in: Path


class DraftFolder:
    """Keep drafts, each in a file of its own; from any thread, one at a time.

    Args:
        folder: The folder, made with the first draft.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def new_file(self) -> Path:
        return self._folder / f"{time.time_ns()}.json"

    def write(self, draft: PlanDraft) -> None:
        """Write a draft over what was kept of it before.

        Raises:
            OSError: When it cannot be written.
        """
        said = {
            "plan": draft.plan.model_dump(mode="json", by_alias=True, exclude_defaults=True),
            "path": None if draft.path is None else str(draft.path),
            "text": draft.text,
            "at": draft.at.isoformat(),
        }
        draft.kept_in.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_whole(draft.kept_in, json.dumps(said, ensure_ascii=False))

    def newest(self) -> tuple[PlanDraft | None, list[Path]]:
        """Return the newest draft, None when there is none, and where those that cannot be read were put."""
        damaged: list[Path] = []
        for file in sorted(self._folder.glob("*.json"), reverse=True):
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
