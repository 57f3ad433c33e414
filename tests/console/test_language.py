"""The window in another language: all its words pass a translation, and the translation is whole."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QTabBar,
    QTableView,
    QTreeView,
    QWidget,
)

import resources
from console import __main__, language
from console.approval.reasons import reasons_of
from console.call_result.lint_words import lint_words
from console.language import number, tr, tr_count
from console.settings.preference import OnOff, Preference, SettingsSection
from console.settings.shortcuts import ShortcutRow
from console.theme import ThemeController
from console.tool_list import toolkit_words
from tests.console.approval_questions import question
from tests.console.screens import EVERYWHERE, opened
from tests.console.speaking import BEGIN, LANGUAGE, MARKED
from tests.console.test_app_console import started
from tests.console.tool_cards import card_for
from tools.catalog import builtin_tools
from tools.lint import Finding, LintRule
from tools.spec import Concern, ToolSpec

ROOT = Path(__file__).parents[2]
spoken = os.environ.get(LANGUAGE, "")
SAME = frozenset(
    {
        "JSON",
        "Scroll Left",
        "Scroll Right",
        "Deutsch",
        "Regular expression",
        "Whole word",
        "def \\w+",
        ".elapsed_s, $.stats.time, items[*].id",
        "example.org, *.example.org",
        "tool-console --safe-mode",
        "tool-console audit verify --folder /audit",
        "github=gh_, Files=files_",
        "folder: /home",
        "npx notes-mcp",
    }
)
"""What is the same in every language, what Qt says itself, and values and examples of tools."""


def texts_of(window: QWidget) -> Iterator[str]:
    """Yield what is read and heard of the widgets in sight, without the rows of lists, which are mostly data."""
    if isinstance(window, QMenu):
        yield from (action.text() for action in window.actions())
    for widget in (window, *window.findChildren(QWidget)):
        if not widget.isVisible() or widget.objectName().startswith("qt_"):
            continue
        yield widget.accessibleName()
        yield widget.toolTip()
        if isinstance(widget, QLabel | QAbstractButton):
            yield widget.text()
        elif isinstance(widget, QLineEdit | QPlainTextEdit):
            yield widget.placeholderText()
        elif isinstance(widget, QComboBox):
            yield from (widget.itemText(at) for at in range(widget.count()))
        elif isinstance(widget, QTabBar):
            yield from (widget.tabText(at) for at in range(widget.count()))
        elif isinstance(widget, QTableView | QTreeView) and (model := widget.model()) is not None:
            heads = (model.headerData(at, Qt.Orientation.Horizontal) for at in range(model.columnCount()))
            yield from (head for head in heads if isinstance(head, str))


class Screens:
    """What all screens say, and what of that is data: words of tools, keys, names of folders."""

    def __init__(self) -> None:
        self.said: dict[str, set[str]] = {}
        self.data = ""

    async def visit(self, theme: ThemeController, folder: Path) -> None:
        async with started(theme, folder) as start:
            cards = (*start.console.tools, *start.console.tools.prompts)
            self.data = _joined("\n".join(map(str, cards)).replace("\\n", " "))
            for name in EVERYWHERE:
                async with opened(start, name) as shown:
                    self.said[name] = {text.strip() for text in texts_of(shown)}

    def words(self) -> dict[str, list[str]]:
        """Return the words of each screen that are no data."""
        found = {name: sorted(text for text in texts if self._is_word(text)) for name, texts in self.said.items()}
        return {name: texts for name, texts in found.items() if texts}

    def _is_word(self, text: str) -> bool:
        # One word without a capital is the name of a tool, a field or a program.
        is_name = re.fullmatch(r"[^\sA-Z]+", text) is not None
        is_data = all(_joined(line) in self.data for line in text.splitlines())
        return bool(re.search(r"[A-Za-z]{2}", text)) and not is_name and not is_data


def _joined(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.skipif(spoken != MARKED, reason="runs in the process that the test below starts")
async def test_every_word_in_sight_passes_a_translation(theme: ThemeController, tmp_path: Path) -> None:
    screens = Screens()
    await screens.visit(theme, tmp_path)
    plain = {name: [text for text in texts if BEGIN not in text] for name, texts in screens.words().items()}
    left = {name: sorted(set(texts) - SAME) for name, texts in plain.items()}
    assert {name: texts for name, texts in left.items() if texts} == {}


@pytest.mark.skipif(bool(spoken), reason="this is the process that is started below")
def test_no_word_is_made_before_the_language_is_chosen() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "tests.console.speaking", __file__],
        cwd=ROOT,
        env={**os.environ, LANGUAGE: MARKED},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_every_text_has_a_translation_with_the_same_places_for_values_and_is_compiled() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "packaging/translations.py", "--check"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.skipif(bool(spoken), reason="speaks another language")
def test_a_count_chooses_the_form_of_the_words() -> None:
    assert [tr_count(count, "1 call", "{count:,} calls") for count in (0, 1, 1200)] == [
        "0 calls",
        "1 call",
        "1,200 calls",
    ]


@pytest.mark.usefixtures("german")
def test_a_count_chooses_the_form_of_another_language_with_its_separators() -> None:
    said = [tr_count(count, "1 call", "{count:,} calls") for count in (0, 1, 1200)]
    assert said == ["0 Aufrufe", "1 Aufruf", "1.200 Aufrufe"]


@pytest.mark.usefixtures("german")
def test_a_search_finds_a_setting_and_a_command_by_german_and_by_english_words() -> None:
    theme = Preference("theme", SettingsSection.PLUGINS, tr("Theme"), "", "", OnOff(), str, lambda _: None)
    assert [theme.matches([word]) for word in ("farbschema", "theme", "folder")] == [True, True, False]
    palette = ShortcutRow("palette", tr("Command palette"), tr("Window"), "Strg+K")
    assert [palette.matches(words) for words in (["befehlspalette"], ["command", "window"], ["run"])] == [
        True,
        True,
        False,
    ]


@pytest.mark.usefixtures("german")
def test_what_tools_say_of_themselves_in_tables_is_said_in_german() -> None:
    listing = next(tool.card for tool in builtin_tools() if tool.name == "list_files")
    own = card_for(ToolSpec(name="tidy", category="text"))
    assert [toolkit_words(listing), toolkit_words(own)] == ["Dateien", "Text"]
    assert toolkit_words(replace(own, toolkit="Files")) == "Files"
    undescribed = Finding(LintRule.PARAMETER_UNDESCRIBED, "tidy", "/path", "'path'")
    assert lint_words(undescribed).message == "Der Parameter 'path' hat keine Beschreibung."
    concern = Concern("destructive", "Destructive", "The tool says that it may delete or overwrite something.")
    reason, *_ = reasons_of(question("delete_file", None, concern), {})
    assert reason.details == ("Das Werkzeug sagt, dass es etwas löschen oder überschreiben kann.",)


@pytest.mark.usefixtures("german")
def test_what_has_no_translation_is_said_in_the_source_s_words() -> None:
    assert tr("Nobody {verb} this anywhere", verb="says") == "Nobody says this anywhere"
    assert number(1234.5, ",.1f") == "1.234,5"


@pytest.mark.skipif(bool(spoken), reason="speaks another language")
def test_words_that_cannot_be_read_leave_the_window_as_it_was(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(resources, "__file__", str(tmp_path / "__init__.py"))
    with pytest.raises(OSError, match=r"the words of Deutsch cannot be read from .*de\.qm; install the program again"):
        language.use("de")
    assert tr("Run") == "Run"


def test_the_command_line_knows_every_language() -> None:
    (option,) = (one for one in __main__._parser()._actions if "--language" in one.option_strings)
    assert set(option.choices or ()) == set(language.LANGUAGES)


@pytest.mark.parametrize(
    ("wanted", "code"), [(["de-AT", "en"], "de"), (["fr-FR", "de"], "de"), (["C"], "en"), (["en-GB", "de"], "en")]
)
def test_the_desktop_s_language_counts_where_none_is_chosen(
    wanted: list[str], code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Desktop:
        @staticmethod
        def system() -> Desktop:
            return Desktop()

        def uiLanguages(self) -> list[str]:  # noqa: N802 -- Qt calls it so
            return wanted

    monkeypatch.setattr(language, "QLocale", Desktop)
    assert language._of_desktop() == code
