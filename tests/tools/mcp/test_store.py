"""What the disk knows of servers is read at once, whoever changes it at the moment."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.tools.mcp.kept_secrets import KeptSecrets
from tools.mcp.config import ServerConfig, Transport
from tools.mcp.store import ServerStore

PATIENCE_S = 20.0


class LockedKeyring(KeptSecrets):
    """A keyring that a person has yet to open."""

    def __init__(self) -> None:
        super().__init__()
        self.asked, self.opened = threading.Event(), threading.Event()

    def put(self, name: str, value: str) -> None:
        self.asked.set()
        assert self.opened.wait(PATIENCE_S)
        super().put(name, value)


def test_servers_are_read_and_the_project_changes_while_a_person_is_asked_to_open_the_keyring(tmp_path: Path) -> None:
    keyring = LockedKeyring()
    store = ServerStore(tmp_path / "data", tmp_path / "servers.json", keyring)
    store.add(ServerConfig(transport=Transport.STDIO, name="time", command="mcp-server-time"))
    with_secret = ServerConfig(
        transport=Transport.STDIO,
        name="issues",
        command="mcp-server-issues",
        env={"ISSUES_TOKEN": "sk-0123456789abcdef"},
    )
    with ThreadPoolExecutor(2) as threads:
        try:
            adding = threads.submit(store.add, with_secret)
            assert keyring.asked.wait(PATIENCE_S)

            def look() -> list[str]:
                store.set_project(tmp_path)
                store.find("time")
                return [config.name for config in (*store.configs, *store.wanted)]

            assert threads.submit(look).result(PATIENCE_S / 4) == ["time", "time"]
            assert not adding.done()
        finally:
            keyring.opened.set()
        assert adding.result(PATIENCE_S).name == "issues"
    store.refresh()
    assert [config.name for config in store.configs] == ["time", "issues"]
