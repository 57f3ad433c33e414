"""Dialogs that come in the middle of something, each made from plain values over a window.

Values of people and programs are single words in small letters here, so that a walk through the words of the window
tells them from its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QWidget

from console.approval.dialog import ApprovalDialog
from console.approval.model import approval_model
from console.assistant.calls_dialog import CallsDialog
from console.assistant.context_dialogs import InstructionsDialog, SummaryDialog
from console.assistant.model_dialog import ModelDialog, TitleDialog
from console.assistant.rows import CallChoice, ContextSettings, ProviderRow
from console.batch.compare_view import RunsDialog, RunsModel, StepComparisonModel
from console.batch.document_csv_view import CsvDialog
from console.batch.parameters_view import ValuesDialog, ValuesDialogText
from console.batch.progress_view import ClosingBox
from console.batch.rows import SavedRun
from console.browser.pipeline_dialog import PipelineDialog
from console.browser.tool_tree import ToolSourceRow
from console.browser.view import FailureDialog
from console.comparison.dialog import ComparisonDialog
from console.comparison.rows import ComparedSide
from console.gateway.closing_dialog import LeavingDialog
from console.gateway.profile_dialog import ProfileDialog
from console.permissions.rows import ParsedRule
from console.permissions.view import RuleDialog
from console.servers.config_dialog import ConfigDialog, ConsentDialog
from console.servers.offers_view import ApproveDialog
from console.servers.question_dialog import AddressDialog, FoldersDialog, FoldersRequest, FormDialog, TextDialog
from console.servers.rows import OfferedTool, StartPartRow, StartRow
from console.servers.view import NameDialog
from console.settings.shortcuts_view import ShortcutDialog
from console.support.help_dialogs import AuditBox
from console.tasks import TaskScope
from console.tool_page.header_view import FindingsDialog
from console.tool_page.lint_rows import LintFindingRow, LintRows
from console.tool_page.requests_dialog import RequestsDialog, SaveRequestDialog
from console.widgets import QuestionBox
from tools import ReviewRequest, ToolCall
from tools.calls import record_of
from tools.discovery.pipeline_drafts import PipelineDraft, StepDraft
from tools.mcp.elicitation import FormElicitation, SamplingRequest, UrlElicitation
from tools.spec import Concern, RiskDegree

_MORNING: Final = datetime(2026, 3, 2, 9, tzinfo=UTC)
_RUN: Final = SavedRun(Path("x"), "nightly", _MORNING, 4, 3, 1, 0, (), is_over=True)
_SCHEMA: Final[dict[str, Any]] = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}


def _runs(window: QWidget) -> QDialog:
    runs = RunsModel(clock=lambda: _MORNING)
    dialog = RunsDialog("nightly", runs, StepComparisonModel(), window)
    runs.show_rows([_RUN, _RUN._replace(journal=Path("y"), is_over=False)])
    dialog.show_done()
    return dialog


def _values(window: QWidget) -> QDialog:
    words = ValuesDialogText("nightly", "values", "go", "play")
    return ValuesDialog(words, _SCHEMA, {}, base=Path.cwd(), parent=window)


def _approval(window: QWidget) -> QDialog:
    """Ask about a call that deletes something; Esc and closing deny it, and that takes the dialog away."""
    call = ToolCall("1", None, "sweep", {"path": "/home/old"}, "agent:claude", 0.0)
    request = ReviewRequest(
        id="walk",
        call=record_of(call),
        description="sweep",
        arguments=call.display_arguments(),
        concerns=(Concern("deletes", "Deletes a folder", "/home/old"),),
        timeout_s=300.0,
        asked_at=_MORNING,
        degree=RiskDegree.HIGH,
        risk_why="The tool says that it may delete or overwrite something.",
    )
    dialog = ApprovalDialog(approval_model(request, _MORNING, ()), window, base=Path("/home"))
    dialog.review.set_armed(armed=True)
    dialog.review.denied.connect(dialog.close_now, Qt.ConnectionType.QueuedConnection)
    return dialog


def _comparison(window: QWidget) -> QDialog:
    async def compute(function: Callable[..., Any], *args: Any) -> Any:
        # At once: how much differs widens the tabs, and a walk that looks before and after sees two dialogs.
        return function(*args)

    def failed(error: BaseException) -> None:
        raise error

    dialog = ComparisonDialog(window, compute, TaskScope("comparison", failed))
    dialog.view.set_sides(
        ComparedSide("echo", "", {"text": "one"}, {"words": ["one"], "count": 1}),
        ComparedSide("echo2", "", {"text": "two"}, {"words": ["one", "two"], "count": 2}),
    )
    return dialog


def _profile(window: QWidget) -> QDialog:
    return ProfileDialog(window)


def _consent(window: QWidget) -> QDialog:
    start = StartRow((StartPartRow("npx"), StartPartRow("notes-mcp")), facts=(("folder", "/home"),), digest="x")
    return ConsentDialog("notes", start, window, asks_trust=True)


def _approve(window: QWidget) -> QDialog:
    tool = OfferedTool("star", "shop.star", "", "star", "star", "star", "new", "new", (), "{}", is_on=True)
    return ApproveDialog("shop", (tool,), window)


def _findings(window: QWidget) -> QDialog:
    finding = LintFindingRow("medium", "warn", "/description", "short", "longer")
    return FindingsDialog("echo", LintRows("12", "", (finding,), "short"), window)


def _pipeline(window: QWidget) -> QDialog:
    step = StepDraft("echo")
    return PipelineDialog(PipelineDraft((step, step)), Path("/plugins"), lambda _: "", window)


MADE: Final[Mapping[str, Callable[[QWidget], QDialog]]] = MappingProxyType(
    {
        "approval": _approval,
        "comparison": _comparison,
        "audit log": lambda window: AuditBox(Path("/audit"), "", window),
        "calls": lambda window: CallsDialog((CallChoice(0, "echo", "{}"), CallChoice(1, "echo", "{}")), window),
        "instructions": lambda window: InstructionsDialog(ContextSettings(), window),
        "summary": lambda window: SummaryDialog("turns", "summary", window),
        "model": lambda window: ModelDialog(
            (ProviderRow("local", "local", ("small",), needs_address=True, key_name="key"),), window
        ),
        "title": lambda window: TitleDialog("talk", window),
        "runs": _runs,
        "rows of a file": lambda window: CsvDialog("rows.csv", ("path", "n"), (("a", "1"),), ("read_file",), window),
        "values": _values,
        "closing batch": lambda window: ClosingBox("halfway", "elsewhere", window),
        "pipeline": _pipeline,
        "failure": lambda window: FailureDialog(
            ToolSourceRow("plugin", "broken.py", "/plugins/broken.py", "broken", "traceback"), window
        ),
        "findings": _findings,
        "save request": lambda window: SaveRequestDialog("", ("order",), "note", window),
        "requests": lambda window: RequestsDialog("echo", window),
        "closing gateway": lambda window: LeavingDialog(("claude", "cursor"), window),
        "profile": _profile,
        "rule": lambda window: RuleDialog("rule", "text", lambda _: ParsedRule("allowed", ""), window),
        "connect server": lambda window: ConfigDialog({"transport": "stdio", "name": "", "command": ""}, window),
        "consent": _consent,
        "new tools": _approve,
        "form": lambda window: FormDialog(FormElicitation("shop", "order", "who?", _SCHEMA), window),
        "address": lambda window: AddressDialog(UrlElicitation("shop", "", "in", "https://example.org/in"), window),
        "text": lambda window: TextDialog(
            SamplingRequest("shop", "", ({"role": "user", "content": "fruit"},), "brief", 100, {}), window
        ),
        "folders": lambda window: FoldersDialog(FoldersRequest("shop", ("/project",)), window),
        "name": lambda window: NameDialog("profile", "hint", (), window),
        "keys": lambda window: ShortcutDialog("run", "Ctrl+R", window),
        "question": lambda window: QuestionBox("close?", "running", "stop", window, save="save"),
    }
)
"""What makes each dialog."""
