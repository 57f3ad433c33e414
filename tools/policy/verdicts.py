"""What is asked of the policy and what it says: values."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from tools.masking import Scrubber, masking_of
from tools.paths import resolve_paths
from tools.policy.rules import Effect, Rule, RuleLocation
from tools.policy.wording import WHO_CHANGES, rule_words, visible
from tools.spec import Concern, RiskClass, RiskDegree
from tools.tool import Tool

if TYPE_CHECKING:
    from pydantic import JsonValue


class Facts(NamedTuple):
    """One call, as rules see it.

    Attributes:
        tool: What would run.
        arguments: The converted arguments as JSON, by the names callers use, unmasked, marked paths made absolute.
        concerns: What the tool itself gives as reasons to ask.
        addresses: What the hosts among the arguments lead to at the moment, as far as somebody looked.
    """

    tool: Tool
    arguments: Mapping[str, JsonValue]
    caller: str
    concerns: tuple[Concern, ...]
    project_dir: Path
    addresses: Mapping[str, tuple[str, ...]] = MappingProxyType({})

    @classmethod
    def of(
        cls,
        tool: Tool,
        arguments: Mapping[str, Any],
        caller: str,
        project_dir: Path,
        concerns: tuple[Concern, ...] = (),
    ) -> Self:
        """Return the facts of a call that is not made.

        Raises:
            ArgumentsError: When the arguments do not fit.
            TypeError: When they have no JSON form.
        """
        converted = resolve_paths(tool.arguments.validate(arguments), tool.path_roles, project_dir)
        return cls(tool, tool.arguments.dump(converted), caller, concerns, project_dir)


class PlacedRule(NamedTuple):
    """A rule, where it stands, and how it fares.

    Attributes:
        suspended: Why it says nothing at the moment; empty when it counts.
        last_used: When it last let a call run; None never.
        uses: How many calls it let run.
    """

    rule: Rule
    place: RuleLocation
    suspended: str = ""
    last_used: datetime | None = None
    uses: int = 0

    @property
    def words(self) -> str:
        return rule_words(self.rule)


class Verdict(NamedTuple):
    """What the policy says of a call.

    Attributes:
        rule: The rule that decided; None when the autonomy level, the tool itself or a file's problem did.
        risk: What kind of harm the call can do.
        why: What decided, word for word; empty when the call may run without a word, or the tool itself asks.
        answered: The kinds of concerns that need no question any more.
        required_role: Who may answer the question; empty admits everybody.
        trail: What was considered, one sentence each, what decided first.
        degree: How much harm, for a person; decides nothing.
        risk_why: Why that degree, in one sentence.
        spends: The rules of which a use counts when the call runs.
    """

    effect: Effect
    rule: PlacedRule | None
    risk: RiskClass
    why: str = ""
    answered: frozenset[str] = frozenset()
    required_role: str = ""
    trail: tuple[str, ...] = ()
    degree: RiskDegree = RiskDegree.UNKNOWN
    risk_why: str = ""
    spends: tuple[PlacedRule, ...] = ()

    @property
    def by(self) -> str:
        """Who decided, for the record: `rule …`; `policy` when no rule of anybody's did."""
        return "policy" if self.rule is None else f"rule {self.rule.rule.id}"

    @property
    def refusal(self) -> str:
        """What the caller is told when it is refused, and who can change that; one line."""
        if self.rule is None:
            return f"Denied by policy: {self.why}"
        reason = f" ({visible(self.rule.rule.reason)})" if self.rule.rule.reason else ""
        return f"Denied by rule: {self.rule.words}{reason}. {WHO_CHANGES[self.rule.place].capitalize()}."


class ResultVerdict(NamedTuple):
    """What the policy says of a result before it is handed on.

    Attributes:
        effect: Allow hands it on, ask asks a person first, deny withholds it.
        rule: The rule that decided; None when only a file's problem did.
        why: What decided, word for word.
        redact: What is hidden of it, as paths below the result.
        secrets: The secrets that are hidden wherever they stand in it.
        required_role: Who may answer the question; empty admits everybody.
    """

    effect: Effect
    rule: PlacedRule | None
    why: str = ""
    redact: tuple[str, ...] = ()
    required_role: str = ""
    secrets: frozenset[str] = frozenset()

    @property
    def hides_something(self) -> bool:
        """Whether the result is not handed on whole."""
        return bool(self.redact or self.secrets)

    def redacted(self, result: JsonValue) -> JsonValue:
        masking = masking_of([_below_result(path) for path in self.redact], {}, None)
        shown = result if masking is None else masking.result(result)
        return Scrubber(self.secrets).texts(shown) if self.secrets else shown

    @property
    def refusal(self) -> str:
        """What the caller is told when the result is withheld; one line."""
        if self.rule is None:
            return f"Withheld by policy: {self.why}"
        reason = f" ({visible(self.rule.rule.reason)})" if self.rule.rule.reason else ""
        return f"Withheld by rule: {self.rule.words}{reason}. {WHO_CHANGES[self.rule.place].capitalize()}."


def _below_result(path: str) -> str:
    return f"result{path}" if path.startswith("[") else f"result.{path}"
