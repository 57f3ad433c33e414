"""The language of the window: whatever a person reads in it goes through `tr` or `tr_count`.

The source words are British English. `resources/translations` has the others in Qt's format: `make translations`
collects the words of the window in `LANGUAGE.ts`, where a person translates them, and compiles them to `LANGUAGE.qm`.
Words at the top of a module are made while it is imported, so the program calls `use` before it imports the window, and
another language counts from the next start on. Without `use`, as in tests, the window speaks English.

Sentences of `tools` (refusals, errors, what to do about them) are made and kept in English, since agents and the
command line read them too. `translated` recognises them, and `tr` does so for the values that are written into its
words.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

import resources
from tools.sentences import begin_sentence, full_sentence

if TYPE_CHECKING:
    from console.sentences import Sentences

LANGUAGES: Final = {"en": "English", "de": "Deutsch"}
"""The languages of the window, each by its code, in its own words; the source's first."""

_SOURCE: Final = "en"

CONTEXT: Final = "console"
"""Qt's name for the group that the words of the window stand in."""

OF_TOOLS: Final = "tools"
"""Qt's name for the group that the sentences of the framework stand in."""

PATTERNS: Final = "sentences.txt"
"""The sentences of the framework that hold values, one a line, collected by `make translations`."""


class _LocalFormatter(Formatter):
    """Write numbers with the separators of a language, and dates with its names of days and months.

    Args:
        locale: Whose separators count.
    """

    def __init__(self, locale: QLocale) -> None:
        self._locale = locale
        self.separators = str.maketrans({",": locale.groupSeparator(), ".": locale.decimalPoint()})

    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, date):
            short = QLocale.FormatType.ShortFormat
            format_spec = format_spec.replace("%a", self._locale.dayName(value.isoweekday(), short))
            format_spec = format_spec.replace("%b", self._locale.monthName(value.month, short))
            format_spec = format_spec.replace("%B", self._locale.monthName(value.month))
        written: str = super().format_field(value, format_spec)
        is_number = isinstance(value, (int, float)) and bool(format_spec)
        return written.translate(self.separators) if is_number else written


class Catalogue:
    """The words of one language.

    Args:
        code: Which of `LANGUAGES`.

    Raises:
        OSError: Its words cannot be read.
    """

    def __init__(self, code: str = _SOURCE) -> None:
        self.code = code
        self._translator = QTranslator()
        self._english: dict[str, str] = {}
        self._formatter = Formatter()
        self._sentences: Sentences | None = None
        if code == _SOURCE:
            return
        path = Path(resources.__file__).parent.joinpath("translations", f"{code}.qm")
        if not self._translator.load(str(path)):
            raise OSError(f"the words of {LANGUAGES[code]} cannot be read from {path}; install the program again")
        self._formatter = _LocalFormatter(QLocale(code))

    def write(self, text: str, meaning: str, count: int, values: Mapping[str, object]) -> str:
        """Return a text in this language, with values written into it."""
        if self.code != _SOURCE:
            # Qt gives nothing for what has no translation.
            source, text = text, self._translator.translate(CONTEXT, text, meaning, count) or text
            if not values and text != source:
                self._english[text] = source
            values = {name: self._value(value) for name, value in values.items()}
        return self._formatter.vformat(text, (), values) if values else text

    def said(self, text: str) -> str:
        """Return a sentence of the framework in this language; a text that is none as it is."""
        if self.code == _SOURCE or " " not in text:
            return text
        if self._sentences is None:
            # Only a window that has something of the framework to say pays for reading them.
            from console.sentences import Sentences  # noqa: PLC0415

            patterns = Path(resources.__file__).parent.joinpath("translations", PATTERNS).read_text(encoding="utf-8")
            separators = _LocalFormatter(QLocale(self.code)).separators
            self._sentences = Sentences(patterns.splitlines(), self._said_whole, separators)
        return self._sentences.said(text)

    def _said_whole(self, text: str) -> str:
        found = self._translator.translate(OF_TOOLS, text)
        if not found and " " in text:
            found = self._translator.translate(CONTEXT, text)
        return found or ""

    def _value(self, value: object) -> object:
        if isinstance(value, BaseException):
            return self.said(str(value))
        return self.said(value) if isinstance(value, str) else value

    def format(self, value: object, form: str) -> str:
        written: str = self._formatter.format_field(value, form)
        return written

    def english(self, text: str) -> str:
        """Return what is said in English for a text without values that was written; "" for any other."""
        return self._english.get(text, "")


_catalogue = Catalogue()


def use(code: str) -> None:
    """Speak a language from now on.

    Args:
        code: One of `LANGUAGES`; "" for the desktop's, if it is one of them.

    Raises:
        OSError: Its words cannot be read; the window goes on in the language before.
    """
    global _catalogue  # noqa: PLW0603 -- a program has one language, which every module's words are made in
    _catalogue = Catalogue(code or _of_desktop())


def language() -> str:
    """Return the code of the language in use."""
    return _catalogue.code


def translate_qt(application: QCoreApplication) -> None:
    """Let Qt's own dialogs and menus speak the language in use.

    Args:
        application: The program, which owns their words from then on.
    """
    words = QTranslator(application)
    if words.load(f"qtbase_{_catalogue.code}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        QCoreApplication.installTranslator(words)
    if _catalogue.code != _SOURCE:
        QLocale.setDefault(QLocale(_catalogue.code))


def _of_desktop() -> str:
    wanted = (name.partition("-")[0] for name in QLocale.system().uiLanguages())
    return next((code for code in wanted if code in LANGUAGES), _SOURCE)


def tr(text: str, meaning: str = "", /, **values: object) -> str:
    """Return words in the language of the window.

    Args:
        text: The words in English, written out where `tr` is called: they are collected from the source. `{name}`
            stands for a value.
        meaning: Tells apart what is one word in English and several in another language: `tr("Open", "state")`.
        values: What is written into the words, each with the format that stands in them: `{size:,}`.
    """
    return _catalogue.write(text, meaning, -1, values)


def tr_count(count: int, one: str, several: str, /, **values: object) -> str:
    """Return words that depend on a count, in the language of the window.

    Args:
        count: Stands in the words as `{count}` or `{count:,}`.
        one: What English says of one, written out.
        several: What it says of any other count, written out.
        values: Whatever else is written into the words.
    """
    source = one if count == 1 and _catalogue.code == _SOURCE else several
    return _catalogue.write(source, "", count, {"count": count, **values})


def in_sentence(words: str) -> str:
    """Return words that begin with a capital as they stand inside a sentence: English writes them small."""
    return words.lower() if _catalogue.code == _SOURCE else words


def translated(words: str | BaseException) -> str:
    """Return what the framework says in the language of the window.

    Args:
        words: A word of its tables, a sentence that it made, or its error. Anything else stays as it is.
    """
    text = str(words)
    said = _catalogue.write(text, "", -1, {})
    return _catalogue.said(text) if said == text else said


def sentence_of(words: str | BaseException) -> str:
    """Return what the framework says in the language of the window, with a capital first letter."""
    return begin_sentence(translated(words))


def full_sentence_of(words: str | BaseException) -> str:
    """Return what the framework says in the language of the window, as a sentence with its full stop."""
    return full_sentence(translated(words))


def in_english(words: str) -> str:
    """Return the English of words without values, which a search finds as well; "" where they are English already."""
    return _catalogue.english(words)


def number(value: float, form: str = ",") -> str:
    """Write a number with the separators of the window's language.

    Args:
        form: How, as in `format`.
    """
    return _catalogue.format(value, form)


def dated(moment: date, form: str) -> str:
    """Write a date with the names of days and months in the window's language.

    Args:
        form: How, as in `strftime`.
    """
    return _catalogue.format(moment, form)
