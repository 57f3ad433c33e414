from __future__ import annotations

import asyncio
import base64
import json
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import BaseModel

from tools import (
    ArgumentProblem,
    ArgumentsError,
    CallStatus,
    ContractError,
    DeniedError,
    ToolConfigurationError,
    ToolContext,
    ToolFailure,
    ToolResult,
    TransientError,
    make_tool,
    tool,
)
from tools.calls import ErrorKind
from tools.spec import MISSING

if TYPE_CHECKING:
    from tests.tools.running import ExecutorOf
    from tools import ToolResponse

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


@dataclass
class Hit:
    path: Path
    when: date


class Picture:
    def __init__(self, data: Any = PNG) -> None:
        self._data = data

    def _repr_png_(self) -> Any:
        return self._data


class Model(BaseModel):
    name: str


def outcome(executor_of: ExecutorOf, work: Any) -> ToolResponse:
    return executor_of(make_tool("work", "Work.", work)).run("work", {})


class TestResults:
    @pytest.mark.reference("E21", "D12", "C7")
    @pytest.mark.parametrize(
        ("value", "as_json", "text"),
        [
            ("plain", "plain", "plain"),
            ("", "", ""),
            (3, 3, "3"),
            (True, True, "true"),
            ([1, "b"], [1, "b"], '[1,"b"]'),
            ((1, 2), [1, 2], "[1,2]"),
            ({"a": None}, {"a": None}, '{"a":null}'),
            (Hit(Path("a"), date(2026, 1, 2)), {"path": "a", "when": "2026-01-02"}, '{"path":"a","when":"2026-01-02"}'),
            (Model(name="m"), {"name": "m"}, '{"name":"m"}'),
            ([Hit(Path("a"), date(2026, 1, 2))], [{"path": "a", "when": "2026-01-02"}], None),
        ],
    )
    def test_any_json_able_value_keeps_its_type_and_has_a_text(
        self, executor_of: ExecutorOf, value: Any, as_json: Any, text: str | None
    ) -> None:
        response = outcome(executor_of, lambda: value)
        assert response.status is CallStatus.EXECUTED
        assert response.result is value
        assert response.json_result == as_json
        assert response.text == (text if text is not None else json.dumps(as_json, separators=(",", ":")))

    @pytest.mark.reference("D15", "E10")
    def test_nothing_is_an_empty_success(self, executor_of: ExecutorOf) -> None:
        response = outcome(executor_of, lambda: None)
        assert (response.status, response.result, response.text) == (CallStatus.EXECUTED, None, "")
        assert response.json_result is MISSING

    @pytest.mark.reference("E25")
    @pytest.mark.parametrize(
        ("value", "name", "mime_type"),
        [
            (PNG, "result.png", "image/png"),
            (bytearray(b"%PDF-1.7"), "result.pdf", "application/pdf"),
            (memoryview(b"PK\x03\x04"), "result.zip", "application/zip"),
            (b"\xff\xd8\xff", "result.jpg", "image/jpeg"),
            (b"anything", "result.bin", "application/octet-stream"),
            (Picture(), "result.png", "image/png"),
        ],
    )
    def test_bytes_and_pictures_become_attachments(
        self, executor_of: ExecutorOf, value: Any, name: str, mime_type: str
    ) -> None:
        response = outcome(executor_of, lambda: value)
        (attachment,) = response.attachments
        assert (attachment.name, attachment.mime_type) == (name, mime_type)
        assert response.json_result == {
            "attachment": name, "mime_type": mime_type, "size_bytes": len(attachment.data),
        }  # fmt: skip
        assert response.result is value

    def test_a_picture_that_cannot_draw_itself_is_no_picture(self, executor_of: ExecutorOf) -> None:
        response = outcome(executor_of, lambda: Picture(None))
        assert response.status is CallStatus.FAILED
        assert "Picture', which has no JSON form" in response.text

    @pytest.mark.reference("D4", "D5", "D6", "D12", "D13")
    def test_a_tool_result_says_more_than_a_value(self, executor_of: ExecutorOf) -> None:
        assert ToolResult.ok() == ToolResult(success=True, output="", error=None)
        assert ToolResult.failure().error == "The tool failed and gave no reason."
        assert ToolResult.failure("no").output == ""
        fine = outcome(executor_of, lambda: ToolResult.ok("text", structured={"a": Hit(Path("b"), date(2026, 1, 2))}))
        assert (fine.status, fine.text) == (CallStatus.EXECUTED, "text")
        assert fine.json_result == {"a": {"path": "b", "when": "2026-01-02"}}
        failed = outcome(executor_of, lambda: ToolResult.failure("no luck"))
        assert (failed.status, failed.text) == (CallStatus.FAILED, "Error: no luck")
        assert failed.error is not None
        assert (failed.error.kind, failed.error.traceback) == (ErrorKind.TOOL, "")

    def test_a_result_without_a_json_form_is_a_failure_that_says_where_and_shows_none_of_our_frames(
        self, executor_of: ExecutorOf
    ) -> None:
        for value in ({"deep": [1, object()]}, ToolResult.ok("x", structured=[object()]), object()):
            response = outcome(executor_of, lambda value=value: value)
            assert response.status is CallStatus.FAILED
            assert "has no JSON form; return text, a number, a list, a dict" in response.text
            assert response.error is not None
            assert (response.error.type_name, response.error.traceback) == ("TypeError", "")
            assert response.json_result is MISSING

    def test_names_that_are_no_text_survive_as_escapes(self, executor_of: ExecutorOf) -> None:
        response = outcome(executor_of, lambda: ["\udcff.txt"])
        assert (response.status, response.text) == (CallStatus.EXECUTED, '["\\udcff.txt"]')

    def test_fifty_megabytes_come_through_whole(self, executor_of: ExecutorOf) -> None:
        text = outcome(executor_of, lambda: "x" * 50_000_000)
        assert (text.status, len(text.text)) == (CallStatus.EXECUTED, 50_000_000)
        rows = outcome(executor_of, lambda: ["y" * 1_000_000] * 50)
        assert len(rows.text) > 50_000_000
        data = outcome(executor_of, lambda: b"z" * 50_000_000)
        assert len(data.attachments[0].data) == 50_000_000


def crash() -> None:
    raise KeyError("missing")


def recurse() -> None:
    recurse()


class TestFailures:
    @pytest.mark.reference("D14", "E21")
    def test_an_unexpected_error_shows_the_tools_own_frames_only(
        self, executor_of: ExecutorOf, caplog: pytest.LogCaptureFixture
    ) -> None:
        response = outcome(executor_of, crash)
        assert (response.status, response.text) == (CallStatus.FAILED, "Error: 'missing'")
        assert response.error is not None
        assert (response.error.kind, response.error.type_name) == (ErrorKind.TOOL, "KeyError")
        assert "in crash" in response.error.traceback
        assert "execution/" not in response.error.traceback
        assert [record.levelname for record in caplog.records if record.name == "tools.calls"] == ["WARNING"]
        assert "-> Error: 'missing'" in caplog.text

    @pytest.mark.reference("E21", "C9")
    @pytest.mark.parametrize(
        ("error", "type_name"), [(ToolFailure("no"), ""), (TransientError("no"), "TransientError")]
    )
    def test_an_expected_failure_shows_its_message_only(
        self, executor_of: ExecutorOf, error: Exception, type_name: str
    ) -> None:
        def work() -> None:
            raise error

        response = outcome(executor_of, work)
        assert response.text == "Error: no"
        assert response.error is not None
        assert (response.error.traceback, response.error.type_name) == ("", type_name)

    @pytest.mark.parametrize("sync", [True, False])
    @pytest.mark.parametrize(
        ("error", "said"),
        [
            (SystemExit(3), "the tool tried to end the program (exit code 3); return or raise ToolFailure instead"),
            (StopIteration(), "StopIteration"),
            (ValueError(), "ValueError"),
            (Exception("two\nlines"), "two\nlines"),
            (asyncio.InvalidStateError("odd"), "odd"),
        ],
    )
    def test_whatever_a_tool_raises_is_a_failed_response(
        self, executor_of: ExecutorOf, sync: bool, error: BaseException, said: str
    ) -> None:
        def work() -> None:
            raise error

        async def work_async() -> None:
            raise error

        response = outcome(executor_of, work if sync else work_async)
        assert response.status is CallStatus.FAILED
        assert said in response.text

    def test_endless_recursion_is_a_failure_with_a_readable_traceback(self, executor_of: ExecutorOf) -> None:
        response = outcome(executor_of, recurse)
        assert "recursion" in response.text
        assert response.error is not None
        assert len(response.error.traceback) < 10_000

    @pytest.mark.reference("D31")
    def test_a_configuration_error_of_a_tool_reaches_the_caller(self, executor_of: ExecutorOf) -> None:
        def work() -> None:
            raise ToolConfigurationError("no index")

        executor = executor_of(make_tool("work", "Work.", work))
        with pytest.raises(ToolConfigurationError, match="no index"):
            executor.run("work", {})
        assert executor.metrics.numbers("work").by_status == {CallStatus.FAILED: 1}

    @pytest.mark.parametrize(
        ("error", "status", "kind"),
        [
            (DeniedError("policy says no"), CallStatus.DENIED, ErrorKind.DENIED),
            (ContractError("broken"), CallStatus.FAILED, ErrorKind.CONTRACT),
            (
                ArgumentsError([ArgumentProblem("x", "text", "1", "string_type")]),
                CallStatus.FAILED,
                ErrorKind.TOOL,
            ),
        ],
    )
    def test_the_frameworks_errors_keep_their_meaning_when_a_tool_raises_them(
        self, executor_of: ExecutorOf, error: Exception, status: CallStatus, kind: ErrorKind
    ) -> None:
        def work() -> None:
            raise error

        response = outcome(executor_of, work)
        assert response.error is not None
        assert (response.status, response.error.kind) == (status, kind)

    def test_interrupting_the_program_is_not_swallowed(self, executor_of: ExecutorOf) -> None:
        def work() -> None:
            raise KeyboardInterrupt

        executor = executor_of(make_tool("work", "Work.", work, isolation="inline"))
        with pytest.raises(KeyboardInterrupt):
            executor.run("work", {})


class TestWhatComesBeside:
    @pytest.mark.reference("E24", "E25", "E34")
    def test_logs_attachments_and_retention_are_kept(self, executor_of: ExecutorOf, tmp_path: Path) -> None:
        (tmp_path / "a.csv").write_text("1,2")

        @tool
        def work(ctx: ToolContext) -> str:
            ctx.log("warning", "careful")
            ctx.attach(ctx.project_dir / "a.csv")
            ctx.attach(b"raw")
            ctx.attach(b"{}", "application/json", "data.json")
            ctx.attach(b"a draft", name="draft.txt")
            ctx.attach(b"a second draft", name="draft.txt")
            assert ctx.detach("draft.txt")
            assert ctx.call.response.attachments[-1].data == b"a draft"
            assert ctx.detach("draft.txt")
            assert [item.name for item in ctx.call.response.attachments][-1] == "data.json"
            assert not ctx.detach("draft.txt")
            ctx.keep_for(0)
            return "done"

        response = executor_of(work).run("work", {})
        assert [(entry.level, entry.text) for entry in response.logs] == [("warning", "careful")]
        assert response.logs[0].offset_s > 0
        assert [(item.name, item.mime_type) for item in response.attachments] == [
            ("a.csv", "text/csv"),
            ("attachment-2", "application/octet-stream"),
            ("data.json", "application/json"),
        ]
        assert response.turns_to_keep == 0

    def test_a_flood_of_log_lines_is_counted_rather_than_kept(
        self, executor_of: ExecutorOf, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("tools.context.MAX_LOG_ENTRIES", 5)

        @tool
        def work(ctx: ToolContext) -> None:
            for number in range(9):
                ctx.log("info", str(number))

        response = executor_of(work).run("work", {})
        assert [entry.text for entry in response.logs] == ["0", "1", "2", "3", "5 more lines were not kept"]

    @pytest.mark.parametrize("given", [{"a": 1}, '{"a": 1}'])
    def test_a_response_shows_itself_shortly(self, executor_of: ExecutorOf, given: Any) -> None:
        executor = executor_of(make_tool("work", "Work.", lambda a: "w" * 100))
        assert repr(executor.run("work", given)) == "<ToolResponse executed>"
