"""What tools want hidden is not stored, or stored encrypted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import pytest
from pydantic import SecretStr

from tests.tools.history.recording import executor_for, found, record_of
from tests.tools.running import run
from tools import CallStatus, Param, ToolContext, ToolFailure, security, tool
from tools.calls import MASK
from tools.errors import VaultError
from tools.spec import MISSING
from tools.vault import Vault

if TYPE_CHECKING:
    from pathlib import Path

    from tests.tools.history.recording import HistoryOf
    from tools import ToolCall
    from tools.history import History

SECRET = "xyzzy-plugh"


@tool
@security(sensitive=True)
async def whisper(words: str, ctx: ToolContext) -> str:
    """Say it to nobody."""
    ctx.log("info", words)
    return words * 2


@tool
@security(sensitive=True)
async def stumble(words: str) -> str:
    """Fail over it."""
    raise ToolFailure(f"cannot say {words}")


@tool
@security(encrypt=True)
async def lock_up(words: str, ctx: ToolContext, times: int = 1) -> dict[str, str]:
    """Keep it."""
    ctx.log("info", f"locking {words}")
    ctx.attach(words.encode(), name="words.txt")
    if words == "bad":
        raise ToolFailure(f"no lock for {words}")
    return {"kept": words * times}


@tool
@security(mask_fields=("auth.token", "result.token"))
async def sign_in(auth: dict[str, str]) -> dict[str, str]:
    """Sign in."""
    return {"token": auth["token"], "name": "Mira"}


TOOLS = (whisper, stumble, lock_up, sign_in)


def call_of(history: History, name: str, arguments: dict[str, Any]) -> ToolCall:
    executor = executor_for(history, *TOOLS)
    call = executor.create_call(name, arguments)
    run(executor.execute(call))
    history.flush()
    return call


def bytes_in(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


def test_a_sensitive_tool_leaves_that_it_ran_and_how_it_ended(history_of: HistoryOf, tmp_path: Path) -> None:
    history = history_of(vault=Vault(Vault.new_key()))

    spoken = record_of(history, call_of(history, "whisper", {"words": SECRET}))
    call_of(history, "stumble", {"words": SECRET})
    failed = history.get(history.search().rows[0].id)

    assert (spoken.status, spoken.arguments, spoken.result, spoken.text) == (CallStatus.EXECUTED, None, MISSING, "")
    assert (spoken.logs, spoken.sealed) == ((), False)
    assert spoken.hidden == "The tool is sensitive: its arguments and result are not kept."
    assert failed is not None
    assert failed.error is not None
    assert (failed.error.kind, failed.error.message) == ("tool", "")
    assert spoken.steps
    row = history.search().rows[0]
    assert (row.arguments_text, row.summary) == ("", "tool")
    assert found(history, "whisper") == ["1"]
    assert found(history, "plugh") == []
    history.close()
    assert b"plugh" not in bytes_in(tmp_path / "history")


@pytest.mark.parametrize("times", [1, 20_000], ids=["small", "large"])
def test_an_encrypted_call_comes_back_with_the_key_only(history_of: HistoryOf, tmp_path: Path, times: int) -> None:
    vault = Vault(Vault.new_key())
    history = history_of(vault=vault)

    call = call_of(history, "lock_up", {"words": SECRET, "times": times})
    record = record_of(history, call)

    assert record.arguments == {"words": SECRET, "times": times}
    assert record.result == {"kept": SECRET * times}
    assert [entry.text for entry in record.logs] == [f"locking {SECRET}"]
    assert history.attachment(record.id, 0) == SECRET.encode()
    assert (record.sealed, record.hidden) == (True, "")
    assert found(history, "plugh") == []
    assert found(history, "lock_up") == ["1"]
    assert history.search().rows[0].summary == "Encrypted"
    history.close()
    assert b"plugh" not in bytes_in(tmp_path / "history")

    for other in (None, Vault(Vault.new_key())):
        stranger = history_of(vault=other)
        closed = stranger.get(record.id)
        assert closed is not None
        assert (closed.arguments, closed.result, closed.logs, closed.sealed) == (None, MISSING, (), True)
        assert closed.hidden.startswith("Arguments and result cannot be shown: ")
        with pytest.raises(VaultError):
            stranger.attachment(record.id, 0)


def test_an_encrypted_failure_keeps_its_message_sealed(history_of: HistoryOf) -> None:
    history = history_of(vault=Vault(Vault.new_key()))

    record = record_of(history, call_of(history, "lock_up", {"words": "bad"}))

    assert record.error is not None
    assert record.error.message == "no lock for bad"
    assert history.search().rows[0].summary == "tool"


def test_sealed_parts_belong_to_their_record(history_of: HistoryOf) -> None:
    history = history_of(vault=Vault(Vault.new_key()))
    first = call_of(history, "lock_up", {"words": "first"})
    second = call_of(history, "lock_up", {"words": "second"})
    connection = history._ledger.connection
    rows = connection.execute("SELECT id, sealed FROM calls ORDER BY id").fetchall()
    connection.execute("UPDATE calls SET sealed = ? WHERE id = ?", (rows[0][1], rows[1][0]))

    assert record_of(history, first).result == {"kept": "first"}
    swapped = history.get(history.search().rows[0].id)
    assert swapped is not None
    assert swapped.result is MISSING
    assert "does not open" in swapped.hidden
    assert second.response.result == {"kept": "second"}


def test_without_a_key_nothing_of_an_encrypted_call_is_kept(history_of: HistoryOf, tmp_path: Path) -> None:
    history = history_of()

    record = record_of(history, call_of(history, "lock_up", {"words": SECRET}))

    assert (record.arguments, record.result) == (None, MISSING)
    assert "there was no key" in record.hidden
    history.close()
    assert b"plugh" not in bytes_in(tmp_path / "history")


def test_masked_values_are_bullets(history_of: HistoryOf, tmp_path: Path) -> None:
    history = history_of()

    @tool
    async def log_in(password: Annotated[SecretStr, Param("Secret")]) -> str:
        """Log in."""
        return f"welcome, {password.get_secret_value()}"

    record = record_of(history, call_of(history, "sign_in", {"auth": {"token": SECRET, "user": "mira"}}))
    executor = executor_for(history, log_in)
    run(executor.execute(executor.create_call("log_in", {"password": SECRET})))
    history.flush()

    assert record.arguments == {"auth": {"token": MASK, "user": "mira"}}
    assert record.result == {"token": MASK, "name": "Mira"}
    assert MASK in record.text
    assert found(history, "mira") == ["1"]
    history.close()
    assert b"plugh" not in bytes_in(tmp_path / "history")
