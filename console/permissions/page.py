"""The lists of rules and permissions, made when somebody wants to see them, and the policy behind them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices

from console.language import tr, translated
from console.lazy_page import LazyPage
from console.permissions.rows import (
    PLACES,
    UNTIL_EXIT,
    UNTIL_REMOVED,
    ParsedRule,
    PermissionMode,
    PermissionRow,
    PermissionSourceRow,
    PolicyState,
    RuleExpiry,
    RuleRow,
)
from console.policies import PolicyController
from console.tasks import TaskScope
from console.tool_list import ToolList
from console.widgets.formats import format_time
from console.widgets.status import DEGREE_STYLES
from tools.card import ToolCard
from tools.errors import PolicyError
from tools.paths import is_file
from tools.policy import (
    AUTONOMY_WORDS,
    Effect,
    Permission,
    PlacedRule,
    Policy,
    Risk,
    Rule,
    RuleLocation,
    Undo,
    new_rule_id,
    rule_words,
)
from tools.policy.rule_toml import rule_from_text, rule_text
from tools.policy.wording import local_time

if TYPE_CHECKING:
    from console.permissions.presenter import PermissionsPresenter
    from console.permissions.view import PermissionsView


_UNNAMED: Final = "new"
_FIXED: Final = tr(
    "It stands in the project's file, which counts for everybody who works on the project; change it there."
)


class PolicyAdapter:
    """Be the `PolicyPort`: show the policy as rows, and make the changes a person asks for."""

    def __init__(self, policies: PolicyController, tools: ToolList) -> None:
        self._policies = policies
        self._tools = tools

    async def state(self) -> PolicyState:
        risks = await self._policies.risks()
        state: PolicyState = await self._policies.compute(_state, self._policies.policy, tuple(self._tools), risks)
        return state

    async def count(self) -> int:
        count: int = await self._policies.compute(_count, self._policies.policy)
        return count

    def remove(self, rule_id: str, /) -> None:
        policy = self._policies.policy

        def make() -> tuple[Undo, str]:
            words = policy.find(rule_id).words
            return policy.remove(rule_id), tr("Removed: {rule}", rule=words)

        self._policies.begin_change(make)

    def set_effect(self, rule_id: str, effect: str, /) -> None:
        # What only a rule that allows can say would make no rule otherwise.
        others: dict[str, Any] = {} if effect == Effect.ALLOW else {"max_uses": None, "answers": ("*",)}
        if effect != Effect.ASK:
            others["required_role"] = ""
        self._replace(rule_id, effect=Effect(effect), **others)

    def set_on(self, rule_id: str, /, *, is_on: bool) -> None:
        self._replace(rule_id, enabled=is_on)

    def set_end(self, rule_id: str, end: RuleExpiry, /) -> None:
        now = datetime.now(UTC)
        midnight = now.astimezone().replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
        ends: Mapping[RuleExpiry, datetime | None] = {
            RuleExpiry.NEVER: None,
            RuleExpiry.HOUR: now + timedelta(hours=1),
            RuleExpiry.TODAY: midnight,
        }
        if end in ends:
            self._replace(rule_id, expires_at=ends[end])

    def set_wish(self, source: str, tool: str, wish: PermissionMode, /) -> None:
        known = self._tools.find(tool) if tool else self._any_of(source)
        if known is None:
            self._policies.noticed.emit(tr("{tool} is gone, so nothing was changed", tool=tool or source))
            return
        of = known if tool else known.source

        what = tool or tr("Every tool of {source}", source=source)
        done = {
            PermissionMode.DEFAULT: tr("{tool} goes by risk from now on", tool=what),
            PermissionMode.ASK: tr("{tool} asks from now on", tool=what),
            PermissionMode.ALWAYS: tr("{tool} is allowed from now on", tool=what),
            PermissionMode.NEVER: tr("{tool} is denied from now on", tool=what),
        }

        def make() -> tuple[Undo, str]:
            undo = self._policies.policy.set_permission(of, Permission(wish))
            return undo, done[wish]

        self._policies.begin_change(make)

    def text_of(self, rule_id: str, /) -> str:
        placed = self._placed(rule_id)
        return "" if placed is None else rule_text(placed.rule)

    def meaning_of(self, text: str, /) -> ParsedRule:
        try:
            return ParsedRule(translated(rule_words(rule_from_text(text, _UNNAMED))), "")
        except PolicyError as error:
            return ParsedRule("", translated(error))

    def write(self, rule_id: str, text: str, /) -> None:
        try:
            rule = rule_from_text(text, rule_id or new_rule_id())
        except PolicyError as error:
            self._policies.noticed.emit(translated(error))
            return

        def make() -> tuple[Undo, str]:
            policy = self._policies.policy
            undo = policy.replace(rule) if rule_id else policy.add(rule, RuleLocation.USER)
            words = rule_words(rule)
            return undo, tr("Changed: {rule}", rule=words) if rule_id else tr("Added: {rule}", rule=words)

        self._policies.begin_change(make)

    def open_file(self) -> None:
        file = self._policies.file
        if not is_file(file):
            self._policies.noticed.emit(tr("There is no file with your rules yet: nothing is remembered in it"))
        elif not QDesktopServices.openUrl(QUrl.fromLocalFile(str(file))):
            self._policies.noticed.emit(tr("No program opens such files here; your rules stand in {file}", file=file))

    def _placed(self, rule_id: str) -> PlacedRule | None:
        return next((placed for placed in self._policies.snapshot.rules if placed.rule.id == rule_id), None)

    def _any_of(self, source: str) -> ToolCard | None:
        return next((tool for tool in self._tools if tool.source.name == source), None)

    def _replace(self, rule_id: str, **said: Any) -> None:
        policy = self._policies.policy

        def make() -> tuple[Undo, str]:
            # The rule as it is by then: another change of it may come first.
            given = policy.find(rule_id).rule.model_dump(exclude_unset=True, by_alias=True) | said
            rule = Rule.model_validate(given)
            return policy.replace(rule), tr("Changed: {rule}", rule=rule_words(rule))

        self._policies.begin_change(make)


class PermissionsPage(QObject):
    """Own the lists, from the first time somebody wants to see them.

    Signals:
        counted(int): So many rules there are.
    """

    counted = Signal(int)

    def __init__(
        self,
        policies: PolicyController,
        tools: ToolList,
        *,
        scope: TaskScope,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._desk = PolicyAdapter(policies, tools)
        self._scope = scope
        self._view: PermissionsView | None = None
        self._presenter: PermissionsPresenter | None = None
        self._is_closed = False
        self.widget = LazyPage(tr("Remembered"))
        self.widget.wanted.connect(self._on_widget_wanted)
        policies.changed.connect(self.look_again)

    @Slot()
    def look_again(self) -> None:
        """Follow that rules or tools are others now."""
        if self._presenter is not None and self.widget.isVisible():
            self._presenter.look_again()
        elif not self._is_closed:
            self._scope.start(self._count(), "count the rules")  # type: ignore[unused-awaitable]

    def close(self) -> None:
        self._is_closed = True
        if self._presenter is not None:
            self._presenter.close()

    async def _count(self) -> None:
        self.counted.emit(await self._desk.count())

    @Slot()
    def _on_widget_wanted(self) -> None:
        from console.permissions.model import PermissionModel, RuleModel  # noqa: PLC0415 -- made when wanted
        from console.permissions.presenter import PermissionsPresenter  # noqa: PLC0415 -- see above
        from console.permissions.view import PermissionsView  # noqa: PLC0415 -- see above

        rules, tools = RuleModel(self), PermissionModel(self)
        self._view = PermissionsView(rules, tools)
        self._presenter = PermissionsPresenter(rules, tools, self._view, self._desk, scope=self._scope, parent=self)
        self._presenter.counted.connect(self.counted)
        self.widget.fill(self._view)


def _count(policy: Policy) -> int:
    return len(policy.rules)


def _state(policy: Policy, tools: Iterable[ToolCard], risks: Mapping[str, Risk]) -> PolicyState:
    now = datetime.now(UTC)
    by_source: dict[str, list[ToolCard]] = {}
    for tool in tools:
        if tool.name in risks:  # one that came since is told of with the next look
            by_source.setdefault(tool.source.name, []).append(tool)
    return PolicyState(
        rules=tuple(_rule_row(placed, now) for placed in policy.rules),
        sources=tuple(_source_row(policy, name, found, risks) for name, found in by_source.items()),
        level=translated(AUTONOMY_WORDS[policy.autonomy]).partition(": ")[2],
        problem=" ".join(map(translated, policy.problems)),
    )


def _rule_row(placed: PlacedRule, now: datetime) -> RuleRow:
    rule = placed.rule
    ends = UNTIL_EXIT if placed.place is RuleLocation.SESSION else UNTIL_REMOVED
    if rule.expires_at is not None:
        ends = tr("Until {expires_at}", expires_at=local_time(rule.expires_at))
    return RuleRow(
        id=rule.id,
        effect=rule.effect,
        words=translated(placed.words),
        lasts=ends,
        place=PLACES[placed.place],
        uses=placed.uses,
        last_used="" if placed.last_used is None else format_time(placed.last_used, now),
        reason=rule.reason,
        suspended="" if not rule.enabled else translated(placed.suspended),
        is_on=rule.enabled,
        fixed=_FIXED if placed.place is RuleLocation.PROJECT else "",
    )


def _source_row(policy: Policy, name: str, tools: list[ToolCard], risks: Mapping[str, Risk]) -> PermissionSourceRow:
    rows = []
    for tool in tools:
        risk = risks[tool.name]
        words = f"{DEGREE_STYLES[risk.degree].title}. {translated(risk.why)}"
        rows.append(PermissionRow(tool.name, words, PermissionMode(policy.permission_of(tool))))
    return PermissionSourceRow(name, PermissionMode(policy.permission_of(tools[0].source)), tuple(rows))
