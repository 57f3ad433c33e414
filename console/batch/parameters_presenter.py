"""Parameters and limits of a plan, and the values of a run, as fields of forms; the presenter of their sheet."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final

from PySide6.QtCore import QObject, Slot

from console.batch.document import PlanDocument, PlanEditError
from console.batch.parameters_view import SettingsSheet
from console.language import tr, translated
from tools.batch import BatchPlan
from tools.batch.checking import type_misfit
from tools.batch.plan import DEFAULT_PARALLELISM

Schema = Mapping[str, Any]
_TYPES: Final = ("string", "integer", "number", "boolean", "array", "object")
_BACKEND: Final = re.compile(r"dask(\+tls)?://\S+:[0-9]+")
_NAME: Final = r"^[A-Za-z_][A-Za-z0-9_]*$"


BACKEND_SCHEMA: Final[Schema] = {
    "type": "object",
    "properties": {
        "cluster": {
            "type": "string",
            "description": tr("Its scheduler, as dask://host:8786; empty for this computer"),
        }
    },
    "additionalProperties": False,
}
"""The field that says where the tools of plans run."""


def backend_problem(values: Mapping[str, Any]) -> str:
    """Say why what stands in the field of `BACKEND_SCHEMA` is no address; empty when it is one, or there is none."""
    cluster = str(values.get("cluster", "")).strip()
    if not cluster or _BACKEND.fullmatch(cluster):
        return ""
    return tr("Expected an address such as dask://host:8786")


class SettingsError(ValueError):
    """Refuse what stands in the fields of a plan; the message is for the person who wrote it."""


def values_schema(plan: BatchPlan, hidden: Collection[str] = ()) -> Schema:
    """Return the JSON Schema of the values that a run of a plan is given.

    Args:
        hidden: The parameters that nobody is to read on the screen.
    """
    properties: dict[str, Any] = {}
    for name, parameter in plan.parameters.items():
        part: dict[str, Any] = {"type": parameter.type}
        if parameter.description:
            part["description"] = parameter.description
        if parameter.default is not None:
            part["default"] = parameter.default
        if name in hidden:
            part["writeOnly"] = True
        properties[name] = part
    required = [name for name, parameter in plan.parameters.items() if parameter.default is None]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def values_to_keep(plan: BatchPlan, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of some values that still fit a plan's parameters: another run begins with them."""
    kept = {}
    for name, value in values.items():
        parameter = plan.parameters.get(name)
        if parameter is not None and not type_misfit(value, parameter.type):
            kept[name] = value
    return kept


def settings_schema(tools: Sequence[str], sources: Sequence[str]) -> Schema:
    """Return the JSON Schema of what holds for a plan as a whole."""
    return {
        "type": "object",
        "properties": {
            "name": {"type": "string", "minLength": 1, "description": tr("What people call the plan")},
            "description": {"type": "string", "maxLength": 5000, "description": tr("What it is for")},
            "parameters": _PARAMETERS,
            "parallelism": {
                "type": "integer",
                "minimum": 1,
                "maximum": 1000,
                "default": DEFAULT_PARALLELISM,
                "description": tr("How many calls run at a time"),
            },
            "timeout_s": {
                "type": "number",
                "exclusiveMinimum": 0,
                "description": tr("Seconds until what is unfinished is timed out; none never is"),
            },
            "tools": _at_a_time(tr("Calls of one tool at a time"), tools),
            "sources": _at_a_time(tr("Calls of the tools of one source at a time"), sources),
            "on_failure": {
                "description": tr("What a failed step means to those that do not wait for it"),
                "oneOf": [
                    {"const": "continue", "title": tr("They run on")},
                    {"const": "stop", "title": tr("Everything else is cancelled")},
                ],
                "default": "continue",
            },
            "approve": {
                "description": tr("How calls that need your approval ask for it"),
                "oneOf": [
                    {"const": "step", "title": tr("Each in its turn")},
                    {"const": "plan", "title": tr("Once for all, before anything runs")},
                ],
                "default": "step",
            },
        },
        "required": ["name"],
        "additionalProperties": False,
    }


_PARAMETERS: Final[Schema] = {
    "type": "array",
    "description": tr("What a run is given; expressions take it as ${parameters.NAME}"),
    "items": {
        "type": "object",
        "properties": {
            "name": {"type": "string", "pattern": _NAME},
            "type": {"enum": list(_TYPES), "default": "string"},
            "default": {"type": "string", "description": tr("Without one, a run asks for it")},
            "description": {"type": "string"},
        },
        "required": ["name", "type"],
        "additionalProperties": False,
    },
}


def _at_a_time(description: str, names: Sequence[str]) -> Schema:
    return {
        "type": "array",
        "description": description,
        "items": {
            "type": "object",
            "properties": {
                "name": {"type": "string", "minLength": 1, "examples": list(names[:1])},
                "at_a_time": {"type": "integer", "minimum": 1, "default": 1},
            },
            "required": ["name", "at_a_time"],
            "additionalProperties": False,
        },
    }


def settings_of(plan: BatchPlan) -> dict[str, Any]:
    """Return what holds for a plan as a whole, as its form has it."""
    limits = plan.limits
    found: dict[str, Any] = {"name": plan.name}
    if plan.description:
        found["description"] = plan.description
    if plan.parameters:
        found["parameters"] = [_parameter_row(name, plan) for name in plan.parameters]
    found["parallelism"] = limits.parallelism
    if limits.timeout_s is not None:
        found["timeout_s"] = limits.timeout_s
    for name in ("tools", "sources"):
        rows = [{"name": key, "at_a_time": count} for key, count in getattr(limits, name).items()]
        if rows:
            found[name] = rows
    found["on_failure"] = plan.on_failure.value
    found["approve"] = plan.approve.value
    return found


def _parameter_row(name: str, plan: BatchPlan) -> dict[str, Any]:
    parameter = plan.parameters[name]
    row: dict[str, Any] = {"name": name, "type": parameter.type}
    if parameter.default is not None:
        is_text = parameter.type == "string" and isinstance(parameter.default, str)
        row["default"] = parameter.default if is_text else json.dumps(parameter.default, ensure_ascii=False)
    if parameter.description:
        row["description"] = parameter.description
    return row


def plan_fields(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a plan that a form sets, each with its default where nothing is said.

    Raises:
        SettingsError: When a name stands there twice, or a default is none of its type.
    """
    limits: dict[str, Any] = {"parallelism": settings.get("parallelism", DEFAULT_PARALLELISM)}
    if settings.get("timeout_s") is not None:
        limits["timeout_s"] = settings["timeout_s"]
    for name, what in (("tools", tr("tools")), ("sources", tr("sources"))):
        rows = _by_name(settings.get(name) or (), what)
        if rows:
            limits[name] = {key: row["at_a_time"] for key, row in rows.items()}
    parameters = _by_name(settings.get("parameters") or (), tr("parameters"))
    return {
        "name": str(settings.get("name", "")).strip() or BatchPlan().name,
        "description": settings.get("description", ""),
        "parameters": {name: _parameter(name, row) for name, row in parameters.items()},
        "limits": limits,
        "on_failure": settings.get("on_failure", "continue"),
        "approve": settings.get("approve", "step"),
    }


def _by_name(rows: Sequence[Mapping[str, Any]], what: str) -> dict[str, Mapping[str, Any]]:
    found: dict[str, Mapping[str, Any]] = {}
    for row in rows:
        name = str(row.get("name", "")).strip()
        if not name:
            raise SettingsError(tr("One of the {what} has no name", what=what))
        if name in found:
            raise SettingsError(tr("{name} stands twice among the {what}", name=name, what=what))
        found[name] = row
    return found


def _parameter(name: str, row: Mapping[str, Any]) -> dict[str, Any]:
    kind = row.get("type", "string")
    found: dict[str, Any] = {"type": kind}
    text = row.get("default")
    if text is not None:
        found["default"] = _default(name, kind, text)
    if row.get("description"):
        found["description"] = row["description"]
    return found


def _default(name: str, kind: str, text: str) -> Any:
    if kind == "string":
        return text
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    plan = BatchPlan.model_validate({"parameters": {name: {"type": kind}}})
    if name not in values_to_keep(plan, {name: value}):
        words = (
            tr("The default of {name} is no {kind}: expected an {kind} as JSON, got {text!r:.60}")
            if kind[0] in "aio"
            else tr("The default of {name} is no {kind}: expected a {kind} as JSON, got {text!r:.60}")
        )
        raise SettingsError(words.format(name=name, kind=kind, text=text))
    return value


class PlanSettings(QObject):
    """Conduct the sheet of what holds for a plan as a whole.

    Args:
        sources: Returns where some tools come from, given their names.
    """

    def __init__(
        self,
        document: PlanDocument,
        sheet: SettingsSheet,
        *,
        sources: Callable[[Sequence[str]], Sequence[str]],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._sheet = sheet
        self._sources = sources
        self._is_running = False
        self._unsubscribe = document.subscribe(self._on_document_changed)
        sheet.applied.connect(self._on_sheet_applied)
        sheet.closed.connect(self.close_sheet)

    @Slot()
    def open_sheet(self) -> None:
        if self._sheet.isHidden():
            self._sheet.forget()
            self._show()
        self._sheet.show_sheet()

    @Slot()
    def close_sheet(self) -> None:
        self._sheet.hide_sheet()

    def set_running(self, *, running: bool) -> None:
        """Let it be changed, or, while the plan runs, only be read."""
        if running is not self._is_running:
            self._is_running = running
            self._on_document_changed()

    def close(self) -> None:
        self._unsubscribe()

    def _show(self) -> None:
        plan = self._document.plan
        tools = list(dict.fromkeys(step.tool for step in plan.steps if step.tool))
        schema = settings_schema(tools, self._sources(tools))
        self._sheet.show_settings(schema, settings_of(plan), can_apply=not self._is_running)

    @Slot()
    def _on_sheet_applied(self) -> None:
        try:
            self._document.change_plan(**plan_fields(self._sheet.values))
        except (PlanEditError, SettingsError) as error:
            self._sheet.refuse(translated(error))
            return
        self._show()

    def _on_document_changed(self) -> None:
        if self._sheet.isVisible() and not self._sheet.is_dirty:
            self._show()
