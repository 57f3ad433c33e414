from __future__ import annotations

import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import pytest

from tests.tools.running import ExecutorOf, run
from tools import (
    ArgumentsError,
    Count,
    DeclarationError,
    DryRun,
    PathRole,
    ShellCommand,
    Tool,
    ToolNotFoundError,
    make_tool,
    resolve_tools,
    security,
    tool,
)
from tools.execution import questions

seen: list[tuple[Any, Path, str]] = []


def look(arguments: Mapping[str, Any], project_dir: Path) -> DryRun | None:
    seen.append((dict(arguments), project_dir, threading.current_thread().name))
    if arguments["kind"] == "nothing":
        return None
    if arguments["kind"] == "wrong":
        return "text"  # type: ignore[return-value]
    if arguments["kind"] == "raise":
        raise OSError(f"no {arguments['token']}")
    items = tuple(f"{arguments['token']} {number}" for number in range(300 if arguments["kind"] == "many" else 1))
    return DryRun(f"Uses {arguments['token']}", (Count("uses", 1, f"1 {arguments['token']}"),), items)


@security(mask_fields=["token"])
@tool(dry_run=look)
def use(path: Annotated[Path, PathRole()], kind: str = "one", token: str = "hush-hush") -> None:
    "Use something."


@tool
def plain() -> None:
    "Do nothing."


class TestPreview:
    def test_arguments_are_converted_and_asked_away_from_the_loop(
        self, executor_of: ExecutorOf, tmp_path: Path
    ) -> None:
        seen.clear()
        executor = executor_of(use, project_dir=tmp_path)
        found = run(executor.preview("use", {"path": "a/../b"}))
        assert found is not None
        assert seen[0][0]["path"] == tmp_path / "b"
        assert seen[0][1] == tmp_path
        assert seen[0][2].startswith("tool-")

    def test_secrets_are_hidden_in_all_of_it(self, executor_of: ExecutorOf) -> None:
        executor = executor_of(use)
        found = run(executor.preview("use", {"path": "b"}))
        assert found is not None
        assert "hush" not in str(found)
        assert found.text == "Uses ••••••"
        failed = run(executor.preview("use", {"path": "b", "kind": "raise"}))
        assert failed is not None
        assert failed.warnings == ("The dry run failed: OSError: no ••••••.",)

    def test_edited_arguments_of_a_call_keep_the_secrets_that_were_left(self, executor_of: ExecutorOf) -> None:
        executor = executor_of(use)
        call = executor.create_call("use", {"path": "b", "token": "other-word"})
        found = run(executor.preview(call))
        assert found is not None
        shown = dict(call.display_arguments()) | {"kind": "many"}
        seen.clear()
        edited = run(executor.preview(call, shown))
        assert seen[0][0]["token"] == "other-word"
        assert edited is not None
        assert (len(edited.items), edited.more) == (questions.MOST_ITEMS, 100)
        assert call.pending

    def test_what_cannot_tell_is_none(self, executor_of: ExecutorOf) -> None:
        executor = executor_of(use, plain)
        assert run(executor.preview("plain", {})) is None
        assert run(executor.preview("use", {"path": "b", "kind": "nothing"})) is None

    def test_what_is_no_dry_run_is_said(self, executor_of: ExecutorOf) -> None:
        found = run(executor_of(use).preview("use", {"path": "b", "kind": "wrong"}))
        assert found is not None
        assert "no DryRun" in found.warnings[0]

    def test_wrong_calls_are_refused(self, executor_of: ExecutorOf) -> None:
        executor = executor_of(use)
        with pytest.raises(ArgumentsError):
            run(executor.preview("use", {"path": 3}))
        with pytest.raises(ToolNotFoundError):
            run(executor.preview("useless", {}))

    def test_one_that_hangs_keeps_nobody_waiting(
        self, executor_of: ExecutorOf, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(questions, "LONGEST_S", 0.05)
        released = threading.Event()

        def hang(arguments: Mapping[str, Any], project_dir: Path) -> None:
            released.wait(30)

        @tool(dry_run=hang)
        def hanging() -> None:
            "Hang."

        executor = executor_of(hanging)
        try:
            found = run(executor.preview("hanging", {}))
        finally:
            released.set()
        assert found is not None
        assert found.warnings == ("The dry run failed: looking took longer than 0.05 s.",)


class TestDeclaring:
    def test_a_dry_run_is_a_plain_function(self) -> None:
        async def later(arguments: Mapping[str, Any], project_dir: Path) -> None:
            return None

        for wrong in ("name", later):
            with pytest.raises(DeclarationError, match="dry_run= takes a function"):
                make_tool("wrong", "Be wrong.", lambda: None, dry_run=wrong)

    def test_command_lines_name_arguments_that_exist(self) -> None:
        @tool
        def start(line: Annotated[str, ShellCommand(arguments="words")], words: list[str]) -> None:
            "Start."

        @tool
        def wrong(line: Annotated[str, ShellCommand(shell="through")]) -> None:
            "Start."

        (made,) = resolve_tools([start])
        assert isinstance(made, Tool)
        assert made.shell_commands == (("line", ShellCommand(arguments="words")),)
        with pytest.raises(DeclarationError, match="'through', which is no argument"):
            resolve_tools([wrong])
