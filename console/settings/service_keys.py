"""Keys of services on the page of settings: where each comes from, set and removed in the keyring, and tried."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QObject, Slot

from console.engine import Engine
from console.language import full_sentence_of, in_english, tr
from console.preferences import Preferences
from console.tasks import TaskScope
from console.widgets import Cell, Column, TableModel
from tools.errors import ToolFailure, VaultError

if TYPE_CHECKING:
    import httpx

    from console.settings.service_keys_view import KeysView
    from tools.known_keys import KeyState

_ENVIRONMENT: Final = tr("Environment")
_KEYRING: Final = tr("Keyring")
_NONE_YET: Final = tr("None yet")
_COLUMNS: Final = (
    Column(tr("Service"), least=180),
    Column(tr("Name"), 220),
    Column(tr("For"), 110),
    Column(tr("Comes from"), 150, samples=(Cell(_ENVIRONMENT), Cell(_KEYRING), Cell(_NONE_YET))),
)
_WORDS: Final = {
    "Models": tr("Models"),
    "Web search": tr("Web search"),
    "Forges": tr("Forges"),
    "Mail": tr("Mail"),
    "Messages": tr("Messages"),
    "Databases": tr("Databases"),
    "Mail that is sent": tr("Mail that is sent"),
    "Mailbox": tr("Mailbox"),
    "Webhook of one's own": tr("Webhook of one's own"),
    "Signature of that webhook": tr("Signature of that webhook"),
}
"""What keys are for, and titles that are no names, as `KNOWN_KEYS` has them."""

_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")
NO_KEYRING: Final = tr(
    "This system has no keyring, so keys cannot be kept here. Install or unlock one (on Linux gnome-keyring or"
    " KWallet), or set environment variables of these names before the program starts."
)


class KeyRow(NamedTuple):
    """How it stands with a key; its value is nowhere in it.

    Attributes:
        name: The variable and the entry of the keyring.
        origin: Where the one that counts comes from, in a few words; empty for nowhere.
        can_try: Whether there is a request that tells whether it is good.
    """

    name: str
    title: str
    purpose: str
    origin: str
    is_kept: bool
    can_try: bool

    def matches(self, wanted: Sequence[str]) -> bool:
        """Say whether it is found by these words, in small letters."""
        said = (self.title, self.purpose, self.origin, tr("key token secret"))
        searched = " ".join((self.name, *said, *map(in_english, said))).casefold()
        return all(word in searched for word in wanted)


class KeysModel(TableModel[KeyRow]):
    """List keys."""

    def __init__(self) -> None:
        super().__init__(_COLUMNS, _cells, _row_key)


class ServiceKeys(QObject):
    """List the keys that services want, keep them in the keyring, and try them.

    Args:
        engine: Has the threads that may wait for the keyring, and the loop that asks services.
        preferences: Remember the names of further keys.
        transport: Answers in the place of services; None asks them.
    """

    def __init__(
        self,
        engine: Engine,
        preferences: Preferences,
        scope: TaskScope,
        *,
        transport: httpx.AsyncBaseTransport | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._engine = engine
        self._preferences = preferences
        self._scope = scope
        self._transport = transport
        self._view: KeysView | None = None

    def make_view(self) -> KeysView:
        """Return the list, which takes what is asked for there."""
        from console.settings.service_keys_view import KeysView  # noqa: PLC0415 -- see console.startup.loading

        view = self._view = KeysView(KeysModel())
        view.keep_requested.connect(self._on_view_keep_requested)
        view.remove_requested.connect(self._on_view_remove_requested)
        view.try_requested.connect(self._on_view_try_requested)
        view.shown.connect(self.look)
        return view

    @Slot()
    def look(self) -> None:
        self._scope.start(self._show(), "look for keys")  # type: ignore[unused-awaitable]

    async def _show(self) -> None:
        rows, problem = await self._engine.compute(_rows, self._preferences.own_keys)
        if self._view is not None:
            self._view.show_rows(rows, problem)

    @Slot(str, str)
    def _on_view_keep_requested(self, name: str, key: str) -> None:
        self._scope.start(self._keep(name, key), "keep a key")  # type: ignore[unused-awaitable]

    async def _keep(self, name: str, key: str) -> None:
        view = self._view
        if view is None:
            return
        if not _NAME.fullmatch(name):
            view.show_answer(
                tr("Expected letters, digits and _ as the name of a key, got {name!r}.", name=name), is_good=False
            )
            return
        try:
            is_known = await self._engine.compute(_put, name, key)
        except VaultError as error:
            view.show_answer(full_sentence_of(error), is_good=False)
            return
        if not is_known:
            self._preferences.add_own_key(name)
        view.key.clear()
        view.show_answer(tr("{name} is in the keyring.", name=name), is_good=True)
        await self._show()

    @Slot(str)
    def _on_view_remove_requested(self, name: str) -> None:
        self._scope.start(self._remove(name), "remove a key")  # type: ignore[unused-awaitable]

    async def _remove(self, name: str) -> None:
        try:
            await self._engine.compute(_remove, name)
        except VaultError as error:
            self._tell(full_sentence_of(error), is_good=False)
            return
        self._preferences.remove_own_key(name)
        self._tell(tr("{name} is in the keyring no more.", name=name), is_good=True)
        await self._show()

    @Slot(str)
    def _on_view_try_requested(self, name: str) -> None:
        self._scope.start(self._try(name), "try a key")  # type: ignore[unused-awaitable]

    async def _try(self, name: str) -> None:
        self._tell(tr("Asking…"), is_good=True)
        try:
            said = await self._engine.call(self._asked, name)
        except ToolFailure as error:
            self._tell(full_sentence_of(error), is_good=False)
        else:
            self._tell(f"{said}.", is_good=True)

    async def _asked(self, name: str) -> str:
        """Ask the service; on the engine's loop."""
        from tools.known_keys import KNOWN_KEYS, try_key  # noqa: PLC0415 -- takes providers of models along
        from tools.models.providers import new_client  # noqa: PLC0415 -- as above

        async with new_client(self._transport) as client:
            return await try_key(KNOWN_KEYS[name], client)

    def _tell(self, words: str, *, is_good: bool) -> None:
        if self._view is not None:
            self._view.show_answer(words, is_good=is_good)


def _rows(own: Sequence[str]) -> tuple[list[KeyRow], str]:
    """Return how it stands with all keys, and why none can be kept; in a thread, since a keyring may ask the person."""
    from tools.known_keys import KNOWN_KEYS, KeyOrigin, keyring_of_keys, states_of, states_without_keyring  # noqa: PLC0415 -- takes providers of models along
    from tools.vault import keyrings  # noqa: PLC0415 -- looks for the system's keyrings

    names, problem = [*KNOWN_KEYS, *own], ""
    if not keyrings():
        states, problem = states_without_keyring(names), NO_KEYRING
    else:
        try:
            states = states_of(names, keyring_of_keys())
        except VaultError as error:
            states, problem = states_without_keyring(names), full_sentence_of(error)
    words = {KeyOrigin.ENVIRONMENT: _ENVIRONMENT, KeyOrigin.KEYRING: _KEYRING, KeyOrigin.NOWHERE: ""}

    def row(state: KeyState) -> KeyRow:
        known = KNOWN_KEYS.get(state.name)
        return KeyRow(
            state.name,
            _WORDS.get(known.title, known.title) if known is not None else tr("Another one"),
            _WORDS.get(known.purpose, known.purpose) if known is not None else tr("Tools"),
            words[state.origin],
            state.is_kept,
            known is not None and known.probe is not None and state.origin is not KeyOrigin.NOWHERE,
        )

    return [row(state) for state in states], problem


def _put(name: str, key: str) -> bool:
    """Keep a key, and tell whether the program knows it by itself."""
    from tools.known_keys import KNOWN_KEYS, keyring_of_keys  # noqa: PLC0415 -- as above

    keyring_of_keys().put(name, key)
    return name in KNOWN_KEYS


def _remove(name: str) -> None:
    from tools.known_keys import keyring_of_keys  # noqa: PLC0415 -- as above

    keyring_of_keys().remove(name)


def _row_key(row: KeyRow) -> str:
    return row.name


def _cells(row: KeyRow) -> tuple[Cell, ...]:
    outweighed = row.origin == _ENVIRONMENT and row.is_kept
    return (
        Cell(row.title, "text"),
        Cell(row.name, is_code=True),
        Cell(row.purpose),
        Cell(
            row.origin or _NONE_YET,
            "ok" if row.origin else "text3",
            tip=tr("The environment outweighs the one in the keyring") if outweighed else "",
        ),
    )
