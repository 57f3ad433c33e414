"""A window that is closed while a plan runs: stopped, or finished in the background, and told of at its end."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLabel, QPushButton

from console.batch.page import end_words, progress_of
from console.batch.progress_view import ClosingBox
from console.batch.rows import Phase, RunFacts, RunUpdate, StepFacts
from console.notices import TrayIcon
from console.preferences import Preferences
from console.theme import ThemeController
from tests.console.test_app_batches import HOLDING, Page, batch_page, page_of, write
from tests.console.test_app_console import Start, click, started
from tools.batch import StepState

pytestmark = pytest.mark.expects_log("tools.calls")


def test_progress_is_told_in_words() -> None:
    counts = {"done": 7, "running": 2, "waiting for you": 1, "failed": 1, "blocked": 1, "queued": 2, "skipped": 1}
    progress = progress_of("nightly", counts)

    assert progress.words == "nightly: 9 of 15 steps, 1 failed"
    assert progress.sentence == "nightly: 9 of 15 steps are over. 1 failed. 1 waits for your answer."


def test_what_may_have_run_is_not_told_as_failed() -> None:
    unsure = progress_of("nightly", {"done": 7, "unsure": 1})
    assert unsure.words == "nightly: 8 of 8 steps, 1 may have run"
    assert unsure.sentence == "nightly: 8 of 8 steps are over. 1 may have run."
    assert end_words(unsure) == "nightly ended, and needs you to look"
    both = progress_of("nightly", {"done": 6, "unsure": 1, "failed": 1})
    assert both.troubles == "1 failed. 1 may have run."
    assert end_words(both) == "nightly failed"


def test_a_question_about_the_whole_plan_is_told_in_words() -> None:
    asked = progress_of("nightly", {"queued": 2}, asks=True)
    assert asked.words == "nightly: waits for your answer"
    assert asked.sentence == "nightly: 0 of 2 steps are over. It waits for your answer about the whole plan."
    looking = progress_of("nightly", {"queued": 2}, looking="Looking at what would be asked, 320 of 1,000")
    assert looking.words == "nightly: looking at what would be asked, 320 of 1,000"
    assert looking.sentence == "nightly: 0 of 2 steps are over. Looking at what would be asked, 320 of 1,000."


def _boxes(start: Start) -> list[ClosingBox]:
    return [box for box in start.console.window.findChildren(ClosingBox) if box.isVisible()]


async def _running(start: Start, folder: Path) -> Page:
    """Run a plan whose second step does not end by itself."""
    page = await page_of(start)
    await page.open(folder / "holding.yaml", HOLDING, 3)
    page.press("Run")
    await start.until(lambda: page.states()["wait"] == "running")
    return page


async def _asked(start: Start) -> ClosingBox:
    start.console.window.close()
    await start.until(lambda: _boxes(start))
    return _boxes(start)[0]


class Posts:
    """Hear what is told on the desktop."""

    def __init__(self, start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
        self.told: list[tuple[str, str, tuple[tuple[str, str], ...]]] = []
        monkeypatch.setattr(start.console.presence.notices, "post", self._post)

    def _post(
        self, key: str, title: str, text: str, actions: tuple[tuple[str, str], ...] = (), *, urgent: bool = False
    ) -> None:
        del key, urgent
        self.told.append((title, text, actions))


async def test_esc_keeps_the_window_and_the_run(theme: ThemeController, tmp_path: Path) -> None:
    async with started(theme, tmp_path) as start:
        page = await _running(start, tmp_path)
        box = await _asked(start)
        start.console.window.close()
        assert _boxes(start) == [box]
        QTest.keyClick(box, Qt.Key.Key_Escape)
        await start.until(lambda: not _boxes(start))
        assert start.console.window.isVisible()
        assert page.states()["wait"] == "running"


async def test_a_stopped_run_is_offered_at_the_next_start(theme: ThemeController, tmp_path: Path) -> None:
    async with started(theme, tmp_path) as start:
        await _running(start, tmp_path)
        click(await _asked(start), "Stop and quit")
        await start.until(start.over.is_set)
    async with batch_page(theme, tmp_path) as (start, page):
        await start.until(lambda: any("was interrupted" in word for word in page.words()))


async def test_one_dialog_tells_of_the_run_and_of_its_changed_plan_and_both_are_there_again(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with started(theme, tmp_path) as start:
        await _running(start, tmp_path)
        opened = start.console.batches.opened
        assert opened is not None
        opened.document.change_plan(description="What waits")
        box = await _asked(start)
        said = " ".join(label.text() for label in box.findChildren(QLabel))
        assert "Stopped, it can go on where it was" in said
        assert "holding has changes that are not saved; they are kept as a draft for the next start." in said
        click(box, "Stop and quit")
        await start.until(start.over.is_set)
        assert start.questions() == []
        assert opened.path is not None
        assert "What waits" not in opened.path.read_text("utf-8")
    async with batch_page(theme, tmp_path) as (start, page):
        await start.until(lambda: "holding is a draft." in page.words())
        opened = start.console.batches.opened
        assert opened is not None
        assert (opened.plan.description, opened.document.is_dirty) == ("What waits", True)
        page.view.banner.action_requested.emit("first")
        await start.until(lambda: not opened.document.is_dirty)
        assert opened.path is not None
        assert "What waits" in opened.path.read_text("utf-8")
        await start.until(lambda: not _drafts(tmp_path))
        await start.until(lambda: any("was interrupted" in word for word in page.words()))


def _drafts(folder: Path) -> list[Path]:
    return list(folder.rglob("drafts/*.json"))


async def test_a_plan_without_a_file_is_there_again_after_the_program_was_killed(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with batch_page(theme, tmp_path) as (start, page):
        start.console.batches.begin_calls("mine", [("echo", {}), ("echo", {})])
        await start.until(lambda: page.model.rowCount() == 2 and _drafts(tmp_path))
        (draft,) = _drafts(tmp_path)
        left = draft.read_bytes()
        assert start.console.batches.opened is not None
        start.console.batches.opened.start_new()
        await start.until(lambda: not _drafts(tmp_path))
    # As a program leaves it that has no time to end.
    draft.write_bytes(left)
    async with batch_page(theme, tmp_path) as (start, page):
        await start.until(lambda: "mine is a draft." in page.words() and page.model.rowCount() == 2)
        page.view.banner.action_requested.emit("second")
        await start.until(lambda: not _drafts(tmp_path) and not page.model.rowCount())
        assert "mine is a draft." not in page.words()


async def test_a_plan_that_is_opened_while_the_draft_is_read_stays_and_the_draft_waits(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with batch_page(theme, tmp_path) as (start, page):
        start.console.batches.begin_calls("mine", [("echo", {}), ("echo", {})])
        await start.until(lambda: page.model.rowCount() == 2 and _drafts(tmp_path))
        (draft,) = _drafts(tmp_path)
        left = draft.read_bytes()
        assert start.console.batches.opened is not None
        start.console.batches.opened.start_new()
        await start.until(lambda: not _drafts(tmp_path))
    draft.write_bytes(left)
    file = tmp_path / "holding.yaml"
    write(file, HOLDING)
    async with started(theme, tmp_path) as start:
        # As a program that is started with a plan does.
        start.console.batches.open(file)
        page = await page_of(start)
        opened = start.console.batches.opened
        assert opened is not None
        await start.until(lambda: opened.path == file and page.model.rowCount() == 3)
        assert not await opened.restore(opened.plan, None, "")
        assert "mine is a draft." not in page.words()
    assert draft.read_bytes() == left


async def test_a_plan_that_was_not_changed_is_open_again_at_the_next_start(
    theme: ThemeController, tmp_path: Path
) -> None:
    file = tmp_path / "holding.yaml"
    async with batch_page(theme, tmp_path) as (start, page):
        await page.open(file, HOLDING, 3)
        # What a program that is killed leaves behind.
        assert Preferences(tmp_path / "window.ini").open_plan == file
    async with batch_page(theme, tmp_path) as (start, page):
        opened = start.console.batches.opened
        assert opened is not None
        await start.until(lambda: opened.path == file and page.model.rowCount() == 3)
        opened.start_new()
        await start.until(lambda: not page.model.rowCount())
    assert Preferences(tmp_path / "window.ini").open_plan is None


async def test_a_plan_of_the_last_start_whose_file_is_gone_is_told_once(theme: ThemeController, tmp_path: Path) -> None:
    Preferences(tmp_path / "window.ini").open_plan = tmp_path / "gone.yaml"
    async with batch_page(theme, tmp_path) as (start, page):
        await start.until(lambda: "gone.yaml cannot be opened." in page.words())
    assert Preferences(tmp_path / "window.ini").open_plan is None


@pytest.mark.parametrize("left", [b"", b"{", b"[]", b'{"plan": 3, "path": null, "text": "", "at": "x"}', b"\xff"])
async def test_a_draft_that_cannot_be_read_is_told_and_kept(
    theme: ThemeController, tmp_path: Path, left: bytes
) -> None:
    async with started(theme, tmp_path) as start:
        folder = start.console.records.folder / "drafts"
        folder.mkdir()
        (folder / "1.json").write_bytes(left)
        told: list[str] = []
        start.console.batches.noticed.connect(told.append)
        page = await page_of(start)
        await start.until(lambda: any("The draft of a plan cannot be read" in word for word in told))
        assert (folder / "1.json.damaged").read_bytes() == left
        assert page.model.rowCount() == 0


async def test_a_draft_whose_file_was_changed_meanwhile_writes_over_nothing(
    theme: ThemeController, tmp_path: Path
) -> None:
    file = tmp_path / "holding.yaml"
    async with batch_page(theme, tmp_path) as (start, page):
        await page.open(file, HOLDING, 3)
        assert start.console.batches.opened is not None
        start.console.batches.opened.document.change_plan(description="Mine")
        start.console.window.close()
        await start.until(start.questions)
        click(start.questions()[0], "Quit")
        await start.until(start.over.is_set)
    theirs = file.read_text("utf-8") + "description: Theirs\n"
    file.write_text(theirs, "utf-8")
    async with batch_page(theme, tmp_path) as (start, page):
        await start.until(lambda: "holding.yaml was changed by another program." in page.words())
        opened = start.console.batches.opened
        assert opened is not None
        assert opened.plan.description == "Mine"
        opened.save()
        await start.until(lambda: not opened._tasks._tasks)
        assert file.read_text("utf-8") == theirs


async def test_a_run_finishes_without_the_window_and_tells_its_end(
    theme: ThemeController, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # There is no desktop whose clock it could stand beside.
    monkeypatch.setattr(TrayIcon, "is_available", _yes)
    monkeypatch.setattr(TrayIcon, "show", _stay_away)

    async with started(theme, tmp_path) as start:
        posts = Posts(start, monkeypatch)
        page = await _running(start, tmp_path)
        tray = start.console.presence._tray
        assert tray is not None
        click(await _asked(start), "Finish in the background")
        assert not start.console.window.isVisible()
        assert tray.tooltip == "Tool Console\nholding: 1 of 3 steps"
        # Who asks for the end again sees the window, and is asked again.
        start.console.window.close()
        await start.until(lambda: _boxes(start))
        assert start.console.window.isVisible()
        click(_boxes(start)[0], "Finish in the background")
        page.view.step_action_requested.emit("cancel", "wait")
        await start.until(lambda: posts.told)
        title, text, actions = posts.told[0]
        assert title == "holding ended"
        assert text.startswith("1 of 3 steps are done, after ")
        assert actions == (("show", "Show"), ("quit", "Quit"))
        start.console.presence.notices.chosen.emit("the end of a batch", "show")
        assert start.console.window.isVisible()
        start.console.window.hide()
        opened = start.console.batches.opened
        assert opened is not None
        opened.document.change_plan(description="What waits")
        start.console.presence.notices.chosen.emit("the end of a batch", "quit")
        # What would be lost is asked about where the question is seen.
        await start.until(start.questions)
        assert start.console.window.isVisible()
        click(start.questions()[0], "Quit")
        await start.until(start.over.is_set)


async def test_a_run_of_which_something_may_have_run_ends_as_something_to_look_at(
    theme: ThemeController, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with started(theme, tmp_path) as start:
        posts = Posts(start, monkeypatch)
        page = await page_of(start)
        await page.open(tmp_path / "holding.yaml", HOLDING, 3)
        parts = start.console.batches.parts
        assert parts is not None
        presenter = parts.presenter
        monkeypatch.setattr(start.console.presence, "is_in_front", _is_behind)
        steps = {name: StepFacts(name, StepState.DONE) for name in ("begin", "end")}
        steps["wait"] = StepFacts("wait", StepState.MAY_HAVE_RUN)
        presenter.take(RunUpdate(RunFacts(Phase.RUNNING, "run"), {}))
        presenter.take(RunUpdate(RunFacts(Phase.OVER, "run"), steps))
        assert page.view.header.badge.text == "1 may have run"
        assert (page.view.header.run.kind, page.view.header.retry.isEnabled()) == ("normal", False)
        ((title, text, _),) = posts.told
        assert title == "holding ended, and needs you to look"
        assert text.endswith(" 1 may have run.")
        assert text.startswith("2 of 3 steps are done, after ")


def _is_behind() -> bool:
    return False


def _yes() -> bool:
    return True


def _stay_away(_tray: TrayIcon) -> None:
    return None


async def test_where_nothing_stands_beside_the_clock_the_window_is_made_small(
    theme: ThemeController, tmp_path: Path
) -> None:
    async with started(theme, tmp_path) as start:
        await _running(start, tmp_path)
        click(await _asked(start), "Finish in the background")
        assert start.console.window.isMinimized()


async def test_a_plan_that_is_not_saved_is_not_lost_by_quitting(theme: ThemeController, tmp_path: Path) -> None:
    async with batch_page(theme, tmp_path) as (start, page):
        write(tmp_path / "holding.yaml", HOLDING)
        await page.open(tmp_path / "holding.yaml", HOLDING, 3)
        assert start.console.batches.parts is not None
        start.console.batches.parts.editor.add_step()
        start.console.window.close()
        await start.until(start.questions)
        click(start.questions()[0], "Cancel")
        await start.until(lambda: not start.questions())
        assert not start.over.is_set()
        start.console.window.close()
        await start.until(start.questions)
        click(start.questions()[0], "Quit")
        await start.until(start.over.is_set)


async def test_a_plan_is_saved_before_the_program_ends(theme: ThemeController, tmp_path: Path) -> None:
    async with batch_page(theme, tmp_path) as (start, page):
        file = tmp_path / "holding.yaml"
        write(file, HOLDING)
        await page.open(file, HOLDING, 3)
        opened = start.console.batches.opened
        assert opened is not None
        opened.document.change(0, tool="hold")
        start.console.window.rail.choose("tools")
        start.console.window.close()
        await start.until(start.questions)
        assert [button.text() for button in start.questions()[0].findChildren(QPushButton) if button.isDefault()] == [
            "Save and quit"
        ]
        click(start.questions()[0], "Save and quit")
        await start.until(start.over.is_set)
        assert file.read_text("utf-8").count("tool: hold") == 2


async def test_the_program_goes_on_when_no_file_is_chosen_for_a_plan(theme: ThemeController, tmp_path: Path) -> None:
    async with batch_page(theme, tmp_path) as (start, page):
        assert start.console.batches.opened is not None
        start.console.batches.begin_calls("mine", [("echo", {})])
        await start.until(lambda: page.model.rowCount() == 1)
        start.console.window.rail.choose("tools")
        start.console.window.close()
        await start.until(start.questions)
        click(start.questions()[0], "Save and quit")
        await start.until(lambda: _file_dialogs(start))
        _file_dialogs(start)[0].reject()
        await start.until(lambda: not _file_dialogs(start))
        assert not start.over.is_set()
        # What is saved later is saved, and ends nothing.
        page.view.file_chosen.emit("save as", str(tmp_path / "mine.yaml"))
        await start.until(lambda: not start.console.batches.unsaved())
        assert not start.over.is_set()
        start.console.batches.opened.document.change(0, tool="hold")
        start.console.batches.opened.start_new(start.console.batches.opened.plan)
        start.console.window.close()
        await start.until(start.questions)
        click(start.questions()[0], "Save and quit")
        await start.until(lambda: _file_dialogs(start))
        _file_dialogs(start)[0].fileSelected.emit(str(tmp_path / "other.yaml"))
        await start.until(start.over.is_set)
        assert "tool: hold" in (tmp_path / "other.yaml").read_text("utf-8")


def _file_dialogs(start: Start) -> list[QFileDialog]:
    return [dialog for dialog in start.console.window.findChildren(QFileDialog) if dialog.isVisible()]
