"""What a setting is: one frozen declaration has its words, its default, its control, and how it is read and changed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple, TypeAlias

from console.language import in_english, tr


class SettingsSection(Enum):
    """Where settings stand, in the order of the page: title, icon, and a sentence about all of them."""

    APPEARANCE = (tr("Appearance"), "sun", tr("How the window looks and moves."))
    APPROVALS = (tr("Approvals and autonomy"), "shield-check", tr("What runs unasked, and what becomes of questions."))
    ROLES = (
        tr("Roles"),
        "user",
        tr("What you may do beyond others: tools and questions may ask for a role."),
    )
    NOTICES = (tr("Notices"), "bell", tr("What the desktop tells you while the window is not in front."))
    HISTORY = (
        tr("History and audit"),
        "history",
        tr("How much of the past is kept. The audit log is never shortened."),
    )
    AGENTS = (tr("Agents"), "bot", tr("How other programs are served through the gateway."))
    KEYS = (
        tr("Keys", "credentials"),
        "key-round",
        tr("What services let you in with. Keys stay in the system's keyring and are never shown."),
    )
    NETWORK = (
        tr("Network"),
        "globe",
        tr("How web tools, models and MCP servers are reached, from the next request on."),
    )
    SHORTCUTS = (
        tr("Shortcuts"),
        "terminal",
        tr("Which keys call which command. Enter or a double-click gives one others."),
    )
    PROJECT = (tr("Project"), "folder", tr("The folder that relative paths mean, and what is read from it."))
    PLUGINS = (tr("Plugins"), "puzzle", tr("How your own tools are loaded, and whose code may run."))
    TOOLS = (tr("Tools"), "wrench", tr("What tools are given, which are disabled, and where they run."))
    ADVANCED = (
        tr("Advanced"),
        "sliders-horizontal",
        tr("Where everything is kept, and what helps when something is wrong."),
    )

    def __init__(self, title: str, icon: str, sentence: str) -> None:
        self.title = title
        self.icon = icon
        self.sentence = sentence


class OnOff(NamedTuple):
    """A setting that is on or off; its value is a bool."""


class OneOf(NamedTuple):
    """A setting that is one of a few things; its value is a key.

    Attributes:
        options: Keys and what people read.
    """

    options: tuple[tuple[str, str], ...]


class WholeNumber(NamedTuple):
    """A setting that is a whole number.

    Attributes:
        unit: What stands behind it; empty for nothing.
        least_words: What the smallest one means; empty for the number itself.
    """

    least: int
    most: int
    unit: str = ""
    least_words: str = ""


class Words(NamedTuple):
    """A setting that is a text; its `change` refuses a bad one.

    Attributes:
        example: Shown while it is empty.
    """

    example: str = ""


class SettingAction(NamedTuple):
    """No value, but something that is done; `read` gives a text that says how it stands, and `change` does it."""

    verb: str


SettingKind: TypeAlias = OnOff | OneOf | WholeNumber | Words | SettingAction


@dataclass(frozen=True)
class Preference:
    """Declare one setting.

    Attributes:
        key: What it is called in code.
        default: Its value on a first start; of an act anything.
        read: Gives its value.
        change: Lets another value count from now on and keeps it; a ValueError says what is wrong with one. What waits
            for something is awaited.
        words: Further words it is found by.
        begun: The value that this run goes on with, of a setting that counts from the next start on; None for one that
            counts at once.
    """

    key: str
    section: SettingsSection
    title: str
    sentence: str
    default: bool | int | str
    kind: SettingKind
    read: Callable[[], Any]
    change: Callable[[Any], Awaitable[object] | None]
    words: str = ""
    begun: bool | int | str | None = None

    def matches(self, wanted: Sequence[str]) -> bool:
        """Say whether it is found by these words, in small letters."""
        options = (text for _, text in self.kind.options) if isinstance(self.kind, OneOf) else ()
        said = (self.section.title, self.title, self.sentence, *options, self.words)
        searched = " ".join((*said, *map(in_english, said))).casefold()
        return all(word in searched for word in wanted)
