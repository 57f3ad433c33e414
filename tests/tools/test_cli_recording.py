from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tools.audit.logs import bodies_in, kinds_in
from tests.tools.command_line import Command, command_of
from tests.tools.test_cli import bench_of
from tests.tools.test_discovery import write
from tools.audit import verify
from tools.cli import main

pytestmark = pytest.mark.expects_log("tools.audit.log", "tools.history.writer")


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TOOL_CONSOLE_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.fixture
def cli(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    monkeypatch.setenv("COLUMNS", "200")
    return command_of(bench_of(tmp_path), capsys, monkeypatch)


class TestCalls:
    def test_a_call_is_in_the_history_and_in_the_audit_log(self, cli: Command, data: Path) -> None:
        assert cli("call", "shout", "word=hi")[:2] == (0, "HI\n")
        out = cli.printed("history", "--output", "json")
        (row,) = json.loads(out)
        assert (row["tool"], row["status"], row["caller"]) == ("shout", "executed", "you")
        bodies = list(bodies_in(data / "audit"))
        assert [body["kind"] for body in bodies] == ["proposed", "executed", "returned"]
        assert row["id"] == f"{bodies[0]['run']}-{bodies[0]['call']}"

    def test_a_call_need_not_be_recorded(self, cli: Command, data: Path) -> None:
        assert cli("call", "shout", "word=hi", "--no-history")[:2] == (0, "HI\n")
        assert not data.exists()

    def test_refused_and_broken_calls_are_recorded_as_well(self, cli: Command, data: Path) -> None:
        cli("call", "shout")
        cli("call", "crash")
        cli("call", "drop", "path=x")
        statuses = [body["status"] for body in bodies_in(data / "audit") if body["kind"] == "returned"]
        assert statuses == ["rejected", "failed", "denied"]
        assert [row["status"] for row in json.loads(cli("history", "--output", "json")[1])] == statuses[::-1]

    def test_a_call_that_is_interrupted_is_recorded(self, cli: Command, data: Path) -> None:
        assert cli("call", "interrupted")[0] == 130
        assert kinds_in(data / "audit")[0] == "proposed"
        assert verify(data / "audit").intact

    def test_records_that_cannot_be_written_are_a_warning_and_the_call_runs(self, cli: Command, data: Path) -> None:
        data.write_text("no folder", encoding="utf-8")
        code, out, err = cli("call", "shout", "word=hi")
        assert (code, out) == (0, "HI\n")
        assert "warning: this call will not be in the history" in err
        assert "warning: this call is not in the audit log" in err

    def test_programs_that_run_at_a_time_record_into_one_place(self, data: Path, tmp_path: Path) -> None:
        plugin = write(
            tmp_path / "echoes.py",
            '''
            from tools import tool

            @tool(isolation="inline")
            def echo(word: str) -> str:
                """Say it again."""
                return word
            ''',
        )
        command = [sys.executable, "-m", "console", "call", "--plugin", str(plugin), "echo"]
        environment = {**os.environ, "TOOL_CONSOLE_DATA": str(data)}
        running = [
            subprocess.Popen(
                [*command, f"word={number}"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
            )
            for number in range(3)
        ]
        ended = [process.communicate() for process in running]
        assert sorted(out for out, _ in ended) == ["0\n", "1\n", "2\n"]
        assert [err for _, err in ended] == [""] * 3
        report = verify(data / "audit")
        assert report.intact
        assert report.entries == 9


class TestHistory:
    @pytest.fixture(autouse=True)
    def some_calls(self, cli: Command) -> None:
        cli("call", "shout", "word=first", "times=2")
        cli("call", "shout", "word=second")
        cli("call", "fail")
        cli("call", "paint")

    def words_of(self, listed: tuple[int, str, str]) -> list[str]:
        assert listed[0] == 0
        return [row["tool"] + row["arguments_text"] for row in json.loads(listed[1])]

    def test_calls_are_listed_newest_first(self, cli: Command) -> None:
        out = cli.printed("history")
        lines = out.splitlines()
        assert [name in line for name, line in zip(["paint", "fail", "shout", "shout"], lines, strict=True)] == [
            True
        ] * 4
        assert "executed" in lines[0]
        assert "failed" in lines[1]
        assert 'word="second"' in lines[2]

    @pytest.mark.parametrize(
        ("words", "found"),
        [
            (["search", "second"], 1),
            (["search", "FIRST"], 1),
            (["search", "seco"], 1),
            (["search", "nothing"], 0),
            (["search"], 4),
            (["--tool", "shout"], 2),
            (["--tool", "shout", "--tool", "fail"], 3),
            (["--tool", "shout", "search", "first"], 1),
            (["search", "first", "--tool", "fail"], 0),
            (["--status", "failed"], 1),
            (["--caller", "you"], 4),
            (["--caller", "agent:x"], 0),
            (["--since", "1h"], 4),
            (["--until", "1h"], 0),
            (["--since", "2020-01-01", "--until", "2020-02-01T12:00"], 0),
            (["--limit", "3"], 3),
        ],
    )
    def test_calls_are_chosen_by_words_and_filters(self, cli: Command, words: list[str], found: int) -> None:
        assert len(self.words_of(cli("history", *words, "--output", "json"))) == found

    def test_nothing_found_is_said(self, cli: Command) -> None:
        assert cli("history", "search", "nothing") == (0, "", "tool-console: no recorded call fits\n")

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (["--since", "yesterday"], "expected a time such as 2026-11-22"),
            (["--since", "999999999999w"], "at most a thousand years"),
            (["--since", "0000-01-01"], "expected a time such as"),
            (["--limit", "0"], "expected a number from 1"),
            (["--status", "good"], "invalid choice"),
            (["prune", "--older-than", "soon"], "expected a number and one of s, m, h, d, w"),
        ],
    )
    def test_words_that_mean_nothing_are_told(self, cli: Command, words: list[str], said: str) -> None:
        err = cli.said(2, "history", *words)
        assert said in err

    def test_one_call_is_shown_whole(self, cli: Command) -> None:
        out = cli.printed("history", "show", "last")
        assert out.startswith("paint 1.0.0  executed")
        assert "\nAttachments\n" in out
        assert "a.txt, 3 bytes" in out
        assert "\nTrace\n  Validate arguments" in out
        record = json.loads(cli("history", "--tool", "fail", "--output", "json")[1])[0]["id"]
        assert "\nError\n  it is broken" in cli("history", "show", record)[1]
        whole = json.loads(cli("history", "show", record, "--output", "json")[1])
        assert (whole["id"], whole["error"]["message"]) == (record, "it is broken")

    def test_a_call_that_is_not_there_is_told(self, cli: Command) -> None:
        err = cli.said(2, "history", "show", "nobody-7")
        assert "no recorded call is 'nobody-7'" in err

    def test_calls_are_exported(self, cli: Command, tmp_path: Path) -> None:
        lines = cli("history", "export", "--to", "-")[1].splitlines()
        assert [json.loads(line)["tool"] for line in lines] == ["paint", "fail", "shout", "shout"]
        table = tmp_path / "calls.csv"
        code, out, err = cli("history", "export", "first", "--to", str(table))
        assert (code, out, err) == (0, "", f"tool-console: 1 calls written to {table}\n")
        assert "FIRST FIRST" in table.read_text(encoding="utf-8").splitlines()[1]
        assert cli("history", "export", "--to", "-", "--format", "csv", "--limit", "2")[1].count("\n") == 3
        code, _, err = cli("history", "export", "--to", str(tmp_path / "no" / "folder"))
        assert code == 5
        assert "cannot be written" in err

    def test_old_calls_are_let_go_on_request(self, cli: Command) -> None:
        assert cli("history", "prune") == (0, "0 calls let go\n", "")
        assert json.loads(cli("history", "prune", "--older-than", "0s", "--output", "json")[1]) == {"forgotten": 4}
        assert self.words_of(cli("history", "--output", "json")) == []


class TestWithout:
    def test_a_history_that_cannot_be_opened_is_told(self, cli: Command, data: Path) -> None:
        data.write_text("no folder", encoding="utf-8")
        err = cli.said(5, "history")
        assert err.startswith("tool-console: ")

    def test_the_tools_are_not_loaded_to_read_records(
        self, data: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        broken = write(tmp_path / "broken.py", "def (")
        assert main(["history", "--folder", str(data / "elsewhere")]) == 0
        assert str(broken) not in capsys.readouterr().err


def test_help_tells_of_all_commands(cli: Command) -> None:
    for words in ([], ["history"], ["history", "export"], ["audit"], ["audit", "verify"], ["audit", "export"]):
        out = cli.printed(*words, "--help")
        assert "usage: tool-console" in out
