"""What a question on show fetches: dry runs of edits, offers for them, trials of rules; late answers change nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtWidgets import QComboBox, QLineEdit, QRadioButton, QWidget
from pytestqt.qtbot import QtBot

from console.approval.model import AnswerSpan, OfferRow, Remembering, TrialRow, approval_model
from console.approval.review_aids import ReviewAids
from console.approval.review_view import ReviewView
from console.tasks import TaskScope
from tests.console.approval_questions import START, question
from tests.tools.running import until
from tools import Continue, Edit, ExitEarly, ReviewDecision, ReviewRequest
from tools.spec import Count, DryRun

ASKED = "/home/mira/exports/2023"


class _Port:
    """Answers at once, but for the dry runs of paths that are held back."""

    def __init__(self, *held: str) -> None:
        self.release = {path: asyncio.Event() for path in held}
        self.looked: list[str] = []
        self.remembered: list[tuple[str, Remembering, bool]] = []

    async def offers(self, request: ReviewRequest, /) -> Sequence[OfferRow]:
        path = _path(request)
        return (OfferRow("exact", "this tool with these arguments", f"Allow {path}"), OfferRow("tool", "it", "Allow"))

    async def remember(self, request: ReviewRequest, choice: Remembering, /, *, allow: bool) -> str:
        self.remembered.append((_path(request), choice, allow))
        return "rule-1"

    async def tested(self, request: ReviewRequest, choice: Remembering, /) -> TrialRow:
        return TrialRow(3, 4, choice.offer)

    async def dry_run(self, request: ReviewRequest, /) -> DryRun:
        path = _path(request)
        self.looked.append(path)
        if path in self.release:
            await self.release[path].wait()
        return DryRun(f"Delete {path}.", (Count("files", len(path), f"{len(path)} files"),))


def _path(request: ReviewRequest) -> str:
    return str((request.arguments or {}).get("path"))


def _view(qtbot: QtBot) -> ReviewView:
    view = ReviewView(approval_model(question(), START), Path("/home/mira"))
    qtbot.addWidget(view)
    view.resize(760, 900)
    view.show()
    return view


def _shown(view: ReviewView) -> str:
    return " ".join(widget.accessibleName() for widget in view.findChildren(QWidget) if widget.isVisible())


def _edit(view: ReviewView, path: str) -> None:
    line = next(one for one in view.findChildren(QLineEdit) if one.accessibleName() == "argument path")
    line.setText(path)
    line.textEdited.emit(path)


async def test_the_newest_edit_alone_is_estimated(qtbot: QtBot) -> None:
    view, port, scope = _view(qtbot), _Port("/one"), TaskScope("aids")
    aids = ReviewAids(question(), view, port, scope)
    await until(lambda: f"{len(ASKED)} files" in _shown(view))
    _edit(view, "/one")
    await until(lambda: "/one" in port.looked)
    _edit(view, "/another")
    await until(lambda: "8 files" in _shown(view))
    port.release["/one"].set()
    await until(lambda: not scope.busy)
    assert "8 files" in _shown(view)
    assert port.looked == [ASKED, "/one", "/another"]
    aids.close()
    await scope.close()


async def test_what_is_remembered_is_about_the_arguments_that_were_allowed(qtbot: QtBot) -> None:
    view, port, scope = _view(qtbot), _Port(), TaskScope("aids")
    aids = ReviewAids(question(), view, port, scope)
    answers: list[ReviewDecision] = []
    aids.answer(Continue(), answers.append)
    assert answers == [Continue()]
    await until(lambda: "Rule: " in _shown(view) or view.remember.isVisible())
    _edit(view, "/one")
    next(radio for radio in view.findChildren(QRadioButton) if radio.text() == "This session").click()
    offers = next(box for box in view.findChildren(QComboBox) if box.accessibleName() == "Remember for which calls")
    await until(lambda: "Rule: Allow /one. If you deny, it denies." in _shown(view))
    offers.setCurrentIndex(1)
    await until(lambda: "past calls that this rule would have allowed" in _shown(view))
    aids.answer(Edit({"path": "/one"}), answers.append)
    aids.answer(ExitEarly("no"), answers.append)
    await until(lambda: len(answers) == 3)
    assert answers[1:] == [Edit({"path": "/one"}, remembered="rule-1"), ExitEarly("no", remembered="rule-1")]
    chosen = Remembering(AnswerSpan.SESSION, "tool")
    assert port.remembered == [("/one", chosen, True), (ASKED, chosen, False)]
    aids.close()
    await scope.close()


async def test_once_it_is_over_nothing_is_looked_at(qtbot: QtBot) -> None:
    view, port, scope = _view(qtbot), _Port(ASKED), TaskScope("aids")
    aids = ReviewAids(question(), view, port, scope)
    await until(lambda: port.looked)
    aids.close()
    await until(lambda: not scope.busy)
    _edit(view, "/one")
    assert port.looked == [ASKED]
    await scope.close()
