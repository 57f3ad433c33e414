from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.tools.audit.logs import files_of
from tests.tools.audit.test_keys import chest, put_key
from tests.tools.command_line import Command
from tests.tools.test_cli_recording import cli, data
from tools.audit.folder import HEAD

__all__ = ["chest", "cli", "data"]


@pytest.fixture(autouse=True)
def some_calls(cli: Command, data: Path) -> Path:
    cli("call", "shout", "word=first")
    cli("call", "fail")
    cli("call", "shout", "word=second")
    return data / "audit"


def tamper(folder: Path, written: bytes, instead: bytes) -> None:
    path = files_of(folder)[0]
    content = path.read_bytes()
    assert written in content
    path.write_bytes(content.replace(written, instead, 1))


class TestVerify:
    def test_an_intact_log_exits_with_zero(self, cli: Command, some_calls: Path) -> None:
        out = cli.printed("audit", "verify")
        assert out.startswith(f"{some_calls}: 9 entries from ")
        assert "nothing was changed\nhead 9:" in out

    def test_a_changed_log_exits_with_seven_and_tells_where(self, cli: Command, some_calls: Path) -> None:
        tamper(some_calls, b'"tool":"fail"', b'"tool":"mail"')
        code, out, _ = cli("audit", "verify")
        assert code == 7
        assert "audit-000001.jsonl, line 4: edited: entry 4 is not as it was written" in out
        assert "(entry 3 is the last good one before it)" in out
        assert "NOT as it was written" in out
        code, out, _ = cli("audit", "verify", "--output", "json")
        assert code == 7
        report = json.loads(out)
        assert (report["intact"], report["entries"], report["problems"][0]["line"]) == (False, 8, 4)

    def test_many_problems_are_counted(self, cli: Command, some_calls: Path, tmp_path: Path) -> None:
        files_of(some_calls)[0].write_bytes(b"x\n" * 150)
        code, out, _ = cli("audit", "verify")
        assert code == 7
        assert "\nand 50 more\n" in out

    def test_a_head_that_was_kept_elsewhere_is_compared(self, cli: Command, some_calls: Path) -> None:
        head = cli("audit", "head")[1].strip()
        assert head.startswith("9:")
        assert json.loads(cli("audit", "head", "--output", "json")[1]) == {"seq": 9, "hash": head[2:]}
        cli("call", "shout", "word=third")
        code, out, _ = cli("audit", "verify", "--head", head)
        assert code == 0
        assert "the hash that was kept is that of entry 9; 3 came after it" in out
        assert cli("audit", "verify", "--head", "9:" + "0" * 64)[0] == 7

    def test_a_log_that_is_not_there_is_told(self, cli: Command, tmp_path: Path) -> None:
        for part in (["verify"], ["head"], ["export", "--to", "-"]):
            err = cli.said(5, "audit", *part, "--folder", str(tmp_path / "nowhere"))
            assert "no audit log is at" in err or "cannot be read" in err

    def test_a_damaged_anchor_is_told(self, cli: Command, some_calls: Path) -> None:
        (some_calls / HEAD).write_text("nothing", encoding="utf-8")
        assert cli("audit", "verify")[0] == 7
        assert cli("audit", "head")[0] == 5


class TestExport:
    def test_a_masked_export_is_checked_as_a_whole(self, cli: Command, tmp_path: Path) -> None:
        target = tmp_path / "export.jsonl"
        err = cli.said(0, "audit", "export", "--mask", "arguments,error", "--to", str(target))
        assert f"9 entries written to {target}\n" in err
        text = target.read_text(encoding="utf-8")
        assert '"word"' not in text
        assert "it is broken" not in text
        assert cli("audit", "verify", "--file", str(target))[0] == 0
        head = err.split("ends with ")[1].strip()
        assert cli("audit", "verify", "--file", str(target), "--head", head)[0] == 0
        target.write_text(text.replace('"status":"failed"', '"status":"executed"'), encoding="utf-8")
        code, out, _ = cli("audit", "verify", "--file", str(target))
        assert code == 7
        assert "export.jsonl, line 6: edited" in out

    def test_a_part_can_be_exported(self, cli: Command, tmp_path: Path) -> None:
        target = tmp_path / "export.jsonl"
        _, out, _ = cli("audit", "export", "--tool", "fail", "--to", str(target), "--output", "json")
        assert json.loads(out)["shown"] == 3
        assert json.loads(out)["left_out"] == 6
        assert "shout" not in target.read_text(encoding="utf-8")
        assert cli("audit", "verify", "--file", str(target))[0] == 0
        _, out, err = cli("audit", "export", "--until", "1h", "--to", "-")
        assert out == ""
        assert "0 entries written to standard output" in err
        _, out, _ = cli("audit", "export", "--since", "1h", "--to", "-")
        assert out.count("\n") == 10

    def test_what_cannot_be_exported_is_told(self, cli: Command, some_calls: Path, tmp_path: Path) -> None:
        err = cli.said(5, "audit", "export", "--mask", "tool", "--to", "-")
        assert "cannot mask tool; expected some of answer, arguments, by" in err
        assert cli("audit", "export", "--to", str(tmp_path / "no" / "folder"))[0] == 2
        tamper(some_calls, b'"tool":"fail"', b'"tool":"mail"')
        code, _, err = cli("audit", "export", "--to", str(tmp_path / "export.jsonl"))
        assert code == 5
        assert "line 4 is no entry, so nothing more is exported" in err


class TestSeal:
    def test_a_sealed_log_goes_on_sealed_and_is_checked_with_the_key(
        self, cli: Command, some_calls: Path, chest: object
    ) -> None:
        out = cli.printed("audit", "seal")
        assert "are sealed from now on" in out
        cli("call", "shout", "word=third")
        code, out, _ = cli("audit", "verify")
        assert code == 0
        assert "entries 1 to 9 are not sealed: written before there was a key" in out
        tamper(some_calls, b'"seal":"', b'"seal":"00')
        assert cli("audit", "verify")[0] == 7

    def test_without_a_keyring_nothing_is_sealed(self, cli: Command) -> None:
        err = cli.said(5, "audit", "seal")
        assert "keyring" in err

    def test_a_log_that_never_had_seals_can_be_checked_although_there_is_a_key(
        self, cli: Command, chest: object
    ) -> None:
        put_key(chest, b"k" * 32)  # type: ignore[arg-type]
        assert cli("audit", "verify")[0] == 7
        assert cli("audit", "verify", "--unsealed")[0] == 0
