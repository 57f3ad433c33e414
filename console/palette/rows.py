"""What the palette lists, as plain values, and how they are grouped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum
from typing import TYPE_CHECKING, Final, NamedTuple

from console.language import in_sentence, tr, translated
from console.widgets.formats import format_duration_ms, format_time
from console.widgets.matches import match_spans
from console.widgets.painting import LatencyClass
from console.widgets.status import STATUS, StatusName, status_of_call
from tools.calls import CallStatus

if TYPE_CHECKING:
    from tools.card import PromptCard
    from tools.history import HistoryRow

SETTINGS: Final = tr("Settings")
"""The place of commands that are settings."""


class RowKind(Enum):
    """What one row of the palette is."""

    HEADING = "heading"
    FACT = "fact"
    TOOL = "tool"
    COMMAND = "command"
    SETTING = "setting"
    CALL = "call"
    SERVER = "server"
    PROMPT = "prompt"


_ICONS: Final = {
    RowKind.TOOL: "wrench",
    RowKind.COMMAND: "terminal",
    RowKind.SETTING: "settings",
    RowKind.CALL: "history",
    RowKind.SERVER: "server",
    RowKind.PROMPT: "message-square-text",
}


@dataclass(frozen=True, slots=True)
class PaletteRow:
    """Be one row as delegates and views read it.

    Attributes:
        key: What it is called in code; with the kind, no other row has it.
        text: What is shown first.
        code: Arguments, in the code face.
        note: When it was and how long it took.
        keys: Its shortcut; empty for none.
        words: Further words it is found by.
        spans: Where what was typed stands in `text`.
        status: How it does, or did; None shows nothing.
        latency: How long it usually takes; None when nobody said.
        asks_first: Whether a person is asked before each call.
        is_on: Whether a setting is on; None for anything that is neither on nor off.
        can_repeat: Whether Ctrl+Enter runs it with the arguments it had.
    """

    kind: RowKind
    key: str
    text: str
    detail: str = ""
    code: str = ""
    note: str = ""
    keys: str = ""
    words: tuple[str, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()
    status: StatusName | None = None
    latency: LatencyClass | None = None
    asks_first: bool = False
    is_on: bool | None = None
    can_repeat: bool = False

    @property
    def icon(self) -> str:
        return _ICONS.get(self.kind, "")

    @property
    def is_choice(self) -> bool:
        """Whether it can be chosen; headings and facts cannot."""
        return self.kind in _ICONS

    @property
    def pick(self) -> str:
        return f"{self.kind.value}:{self.key}"

    @property
    def spoken(self) -> str:
        on = "" if self.is_on is None else tr("on") if self.is_on else tr("off")
        asks = tr("asks before it runs") if self.asks_first else ""
        status = "" if self.status is None else in_sentence(STATUS[self.status].word)
        return ", ".join(filter(None, (self.text, self.detail, self.code, self.note, status, on, asks, self.keys)))

    def marked(self, words: Iterable[str]) -> PaletteRow:
        """Return the same with the places marked where words stand."""
        return replace(self, spans=tuple(match_spans(self.text, words)))

    def contains(self, words: Iterable[str]) -> bool:
        text = f"{self.text}\n{self.detail}\n{self.code}".casefold()
        return all(word in text for word in words)


class PaletteGroup(NamedTuple):
    """Rows below a heading.

    Attributes:
        rows: They, best first.
    """

    title: str
    rows: Sequence[PaletteRow]


class Query(NamedTuple):
    """What was typed.

    Attributes:
        kind: The first letter, where it says what is looked for: `>` commands, `@` servers, `#` calls; else empty.
    """

    kind: str
    text: str

    @property
    def words(self) -> tuple[str, ...]:
        """The text's words, as they are marked."""
        return tuple(self.text.casefold().split())


def query_of(typed: str) -> Query:
    """Take apart what was typed."""
    typed = typed.strip()
    return Query(typed[0], typed[1:].strip()) if typed[:1] in {">", "@", "#"} else Query("", typed)


def rows_of(groups: Iterable[PaletteGroup]) -> list[PaletteRow]:
    """Return groups one after the other, each below its heading; empty ones are left out."""
    found: list[PaletteRow] = []
    for title, rows in groups:
        if rows:
            found += [PaletteRow(RowKind.HEADING, title, title), *rows]
    return found


def call_row(row: HistoryRow, now: datetime | None = None) -> PaletteRow:
    """Return a call of the history as the palette lists it.

    Args:
        now: The time; None reads the clock.
    """
    took = format_duration_ms(row.own_s * 1000) if row.status.final else ""
    return PaletteRow(
        RowKind.CALL,
        row.id,
        row.tool,
        code=row.arguments_text,
        note=" · ".join(filter(None, (format_time(row.proposed_at, now), took))),
        status=None if row.status is CallStatus.EXECUTED else status_of_call(row.status, error_kind=row.error_kind),
        can_repeat=row.status.final,
    )


def server_row(name: str) -> PaletteRow:
    """Return an MCP server as the palette lists it."""
    return PaletteRow(RowKind.SERVER, name, name, detail=tr("MCP server"))


def prompt_row(card: PromptCard) -> PaletteRow:
    """Return a prompt as the palette lists it."""
    detail = tr("Prompt › {group}", group=translated(card.toolkit or card.source.name))
    return PaletteRow(RowKind.PROMPT, card.name, card.name, detail=detail, words=(card.title, card.description))


def nothing_rows(query: Query) -> list[PaletteRow]:
    """Say that nothing was found, and what to try."""
    tries = {
        ">": tr("Commands are what the window's menus and shortcuts do. Without > tools are found too."),
        "@": tr("Connect a server on the Servers page."),
        "#": tr("Calls are found by tool, caller, arguments and result."),
    }
    fact = tr("Nothing matches “{text}”", text=query.text) if query.text else _NONE_YET[query.kind]
    what = tries.get(query.kind, tr("Try another word for it, or > commands, @ servers, # calls."))
    return [PaletteRow(RowKind.FACT, "fact", fact), PaletteRow(RowKind.FACT, "try", what)]


_NONE_YET: Final = {
    ">": tr("No commands"),
    "@": tr("No servers yet"),
    "#": tr("No calls yet"),
    "": tr("Nothing to show yet"),
}
