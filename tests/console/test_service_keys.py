"""Keys of services on the page of settings: kept, replaced, removed and tried, and never shown."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import keyring
import keyring.backend
import pytest
from PySide6.QtWidgets import QWidget

from console.engine import Engine
from console.preferences import Preferences
from console.settings.preference import SettingsSection
from console.settings.service_keys import ServiceKeys
from console.settings.service_keys_view import KeysView
from console.settings.view import AllSettingsView
from console.tasks import TaskScope
from tests.tools.running import until

KEY = "sk-very-secret-0123456789"


class MemoryKeyring(keyring.backend.KeyringBackend):
    priority = 1

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # of the library
        self.kept: dict[str, str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get(username)

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.kept[username]


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    before, backend = keyring.get_keyring(), MemoryKeyring()
    keyring.set_keyring(backend)
    yield backend.kept
    keyring.set_keyring(before)


@asynccontextmanager
async def listed(tmp_path: Path) -> AsyncIterator[KeysView]:
    def answered(request: httpx.Request) -> httpx.Response:
        good = request.headers["authorization"] == f"Bearer {KEY}"
        return httpx.Response(200, json={"data": [{"id": "one"}]}) if good else httpx.Response(401)

    engine, failures = Engine(), list[BaseException]()
    scope = TaskScope("test", failures.append)
    preferences = Preferences(tmp_path / "window.ini")
    keys = ServiceKeys(engine, preferences, scope, transport=httpx.MockTransport(answered))
    view = keys.make_view()
    page = AllSettingsView((), {SettingsSection.KEYS: view})
    engine.start()
    try:
        page.show_section(SettingsSection.KEYS)
        page.show()
        await until(view.model.rowCount)
        yield view
    finally:
        page.close()
        page.deleteLater()
        await scope.close()
        engine.stop()
    assert failures == []


def origin(view: KeysView, name: str) -> str:
    return view.model.cell(view.model.place_of(name), 3).text


def shown(view: QWidget) -> str:
    """Return all that stands on the list, in fields and in labels."""
    texts = [
        widget.property(kind) for widget in view.findChildren(QWidget) for kind in ("text", "toolTip", "displayText")
    ]
    return " ".join(str(text) for text in texts if text)


async def test_a_key_is_kept_replaced_tried_and_removed_and_never_shown(
    theme: object, kept: dict[str, str], tmp_path: Path
) -> None:
    async with listed(tmp_path) as view:
        assert origin(view, "OPENAI_API_KEY") == "None yet"
        view.table.choose("OPENAI_API_KEY")
        assert view.name.text() == "OPENAI_API_KEY"
        assert [button.isEnabled() for button in (view.keep, view.remove, view.test)] == [False] * 3
        view.key.setText("wrong")
        view.keep.click()
        await until(lambda: origin(view, "OPENAI_API_KEY") == "Keyring")
        view.test.click()
        await until(lambda: "does not take the key" in view.answer.text())
        assert view.keep.text() == "Replace in the keyring"
        view.key.setText(KEY)
        view.keep.click()
        await until(lambda: kept.get("OPENAI_API_KEY") == KEY)
        await until(lambda: view.answer.text() == "OPENAI_API_KEY is in the keyring.")
        view.test.click()
        await until(lambda: view.answer.text() == "OpenAI takes the key and names 1 model.")
        assert KEY not in shown(view)
        view.remove.click()
        await until(lambda: origin(view, "OPENAI_API_KEY") == "None yet")
        assert kept == {}


async def test_a_key_that_a_tool_of_ones_own_asks_for_is_kept_under_its_name(
    theme: object, kept: dict[str, str], tmp_path: Path
) -> None:
    async with listed(tmp_path) as view:
        view.name.setText("not a name")
        view.key.setText(KEY)
        view.keep.click()
        await until(lambda: "as the name of a key, got 'not a name'" in view.answer.text())
        view.name.setText("MY_SHIP_TOKEN")
        view.keep.click()
        await until(lambda: view.model.place_of("MY_SHIP_TOKEN") >= 0)
        assert (kept, origin(view, "MY_SHIP_TOKEN")) == ({"MY_SHIP_TOKEN": KEY}, "Keyring")
    async with listed(tmp_path) as again:
        assert origin(again, "MY_SHIP_TOKEN") == "Keyring"


async def test_without_a_keyring_a_sentence_says_what_to_do_and_the_environment_counts(
    theme: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    async with listed(tmp_path) as view:
        assert view.problem.text().startswith("This system has no keyring")
        assert origin(view, "OPENAI_API_KEY") == "Environment"
        view.table.choose("OPENAI_API_KEY")
        view.key.setText("another")
        assert not view.keep.isEnabled()
        view.test.click()
        await until(lambda: view.answer.text() == "OpenAI takes the key and names 1 model.")
        assert KEY not in shown(view)


async def test_the_search_finds_a_key_by_its_service_and_by_its_name(theme: object, tmp_path: Path) -> None:
    async with listed(tmp_path) as view:
        for words, names in (
            (["brave"], ["BRAVE_API_KEY"]),
            (["hf_token"], ["HF_TOKEN"]),
            (["forges", "lab"], ["GITLAB_TOKEN"]),
        ):
            found, of = view.narrow(words)
            assert (found, [row.name for row in view.model.rows]) == (len(names), names)
            assert of > 20
