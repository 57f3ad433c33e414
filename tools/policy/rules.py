"""What a rule is: frozen values, the same in the program and in a policy file."""

from __future__ import annotations

import math
from enum import StrEnum
from typing import Annotated, Final, Self

from annotated_types import Ge, MaxLen, MinLen
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, JsonValue, field_validator, model_validator

from tools.masking import parse_path
from tools.spec import RiskClass, RiskLevel

ANYTHING: Final = "*"
"""The pattern that fits every name."""

LONGEST_PATTERN: Final = 1000
"""The most letters of a regular expression; longer ones are mistakes or attacks."""


class Effect(StrEnum):
    """What a rule says of a call, the strictest last."""

    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"

    @property
    def strictness(self) -> int:
        """How much it keeps a call from running; the larger, the more."""
        return _STRICTNESS[self]


_STRICTNESS: Final = {Effect.ALLOW: 0, Effect.ASK: 1, Effect.DENY: 2}


class RuleMoment(StrEnum):
    """When a rule speaks: before a call runs, or before its result is handed on."""

    BEFORE = "before"
    RESULT = "result"


class RuleLocation(StrEnum):
    """Where a rule stands: in memory only, in the person's file, or in the project's file."""

    SESSION = "session"
    USER = "user"
    PROJECT = "project"


class Autonomy(StrEnum):
    """How much runs without a question when no rule speaks, the most first.

    Source: the reference's server-side approval, `AutonomyLevel`.
    """

    FULL_AUTO = "full_auto"
    SUPERVISED = "supervised"
    CAUTIOUS = "cautious"
    MANUAL = "manual"

    @property
    def asks_from(self) -> RiskLevel:
        return _ASKS_FROM[self]


_ASKS_FROM: Final = {
    Autonomy.FULL_AUTO: RiskLevel.CRITICAL,
    Autonomy.SUPERVISED: RiskLevel.HIGH,
    Autonomy.CAUTIOUS: RiskLevel.MEDIUM,
    Autonomy.MANUAL: RiskLevel.LOW,
}


class Permission(StrEnum):
    """What a person wants of a tool or of all tools of a source; `DEFAULT` leaves it to everything else."""

    DEFAULT = "default"
    ASK = "ask"
    ALWAYS = "always"
    NEVER = "never"


Word = Annotated[str, MinLen(1), MaxLen(500)]
LongWord = Annotated[str, MinLen(1), MaxLen(4096)]


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class Comparison(StrEnum):
    """How a predicate compares."""

    EQUALS = "equals"
    IN = "in"
    PREFIX = "prefix"
    INSIDE = "inside"
    MATCHES = "matches"
    ABOVE = "above"
    BELOW = "below"
    AT_LEAST = "at_least"
    AT_MOST = "at_most"
    HOST_IN = "host_in"
    HOLDS_SECRET = "holds_secret"  # noqa: S105 -- a word of policy files


class Predicate(_Value):
    """Say something of one argument: a path, and exactly one comparison.

    A rule that allows reads narrowly: of several values that the path names every one must fit, `matches` is about the
    whole text, and links are followed. A rule that asks or denies reads widely: one value is enough, `matches` may find
    its pattern anywhere, other forms of the same letters count, and what cannot be told fits.

    Attributes:
        path: Which value: `path`, `options.depth`, `items[].name`; empty means all arguments together, which only
            `equals` and `holds_secret` look at. In a rule about results, `result` and what is below it is the result.
        equals: The value is this one. 1 and 1.0 are equal, 1 and true are not.
        in_: The value is one of these; written `in`.
        prefix: The text begins with this.
        inside: The path lies in this folder, or is it, links and `..` followed; a relative one is of the project.
        matches: The text matches this regular expression.
        above: The number is larger.
        below: The number is smaller.
        at_least: The number is not smaller.
        at_most: The number is not larger.
        host_in: The address' host is one of these; `*.example.org` is every host below that one.
        holds_secret: Whether a key, a token or a private key stands anywhere in the value; see `tools.secret_scan`.
    """

    model_config = ConfigDict(validate_by_alias=True, validate_by_name=True, serialize_by_alias=True)

    path: Annotated[str, MaxLen(500)]
    equals: JsonValue = None
    in_: Annotated[tuple[JsonValue, ...], MinLen(1)] | None = Field(None, alias="in")
    prefix: LongWord | None = None
    inside: LongWord | None = None
    matches: Annotated[str, MinLen(1), MaxLen(LONGEST_PATTERN)] | None = None
    above: float | None = None
    below: float | None = None
    at_least: float | None = None
    at_most: float | None = None
    host_in: Annotated[tuple[Word, ...], MinLen(1)] | None = None
    holds_secret: bool | None = None

    @property
    def comparison(self) -> Comparison:
        (name,) = self.model_fields_set - {"path"}
        return Comparison(name.rstrip("_"))

    @property
    def operand(self) -> JsonValue | tuple[JsonValue, ...]:
        (name,) = self.model_fields_set - {"path"}
        operand: JsonValue | tuple[JsonValue, ...] = getattr(self, name)
        return operand

    @property
    def is_exact(self) -> bool:
        return not self.path and self.comparison is Comparison.EQUALS

    @field_validator("matches")
    @classmethod
    def _compile(cls, pattern: str | None) -> str | None:
        if pattern is not None:
            import regex  # noqa: PLC0415 -- few rules have a pattern

            try:
                regex.compile(pattern)
            except regex.error as error:
                msg = f"{pattern!r} is no regular expression ({error})"
                raise ValueError(msg) from error
        return pattern

    @model_validator(mode="after")
    def _compare_once(self) -> Self:
        given = sorted(name.rstrip("_") for name in self.model_fields_set - {"path"})
        if len(given) != 1:
            came = " and ".join(given) or "none"
            msg = f"expected exactly one comparison, such as equals, in, prefix or inside, got {came}"
            raise ValueError(msg)
        if self.operand is None and given != ["equals"]:
            msg = f"expected a value for {given[0]}, got none"
            raise ValueError(msg)
        if isinstance(self.operand, float) and math.isnan(self.operand):
            msg = f"expected a number for {given[0]}, got nan, which nothing is above or below"
            raise ValueError(msg)
        if self.path:
            parse_path(self.path)
        elif given != ["holds_secret"] and (given != ["equals"] or not isinstance(self.equals, dict)):
            msg = "an empty path means all arguments together: expected equals with an object of them, or holds_secret"
            raise ValueError(msg)
        return self


class Rule(_Value):
    """Say what becomes of some calls, or of their results.

    Attributes:
        id: Its name in lists, messages and the audit log; unique within its place.
        source: The sources it is about, as a pattern with `*` and `?`.
        tool: The names of the tools it is about, as a pattern.
        caller: The callers it is about, as a pattern.
        risk: The risk classes it is about; empty means any.
        where: What must hold of the arguments, all of it.
        answers: The tool's own concerns that an allowing rule settles, by kind, as patterns; what it does not settle is
            asked about all the same.
        expires_at: From when on it says nothing; None never.
        max_uses: How many calls it lets run; None sets no limit. Only for rules that allow.
        required_role: Who may answer the question that it asks; empty admits everybody.
        reason: Why it exists, in the person's words; the caller is told when it refuses.
        redact: What is hidden of a result before it is handed on, as paths below the result; only for results.
        redact_secrets: Whether keys, tokens and private keys in a result are hidden; only for results.
        definition: The digest of the tool's definition that it was made for: an allowing rule says nothing of another.
        created_at: When it was made; None when nobody wrote it down.
    """

    id: Annotated[str, MinLen(1), MaxLen(120), Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9 ._:-]*$")]
    effect: Effect
    moment: RuleMoment = RuleMoment.BEFORE
    source: Word = ANYTHING
    tool: Word = ANYTHING
    caller: Word = ANYTHING
    risk: tuple[RiskClass, ...] = ()
    where: Annotated[tuple[Predicate, ...], MaxLen(20)] = ()
    answers: tuple[Word, ...] = (ANYTHING,)
    expires_at: AwareDatetime | None = None
    max_uses: Annotated[int, Ge(1)] | None = None
    required_role: Annotated[str, MaxLen(120)] = ""
    reason: Annotated[str, MaxLen(2000)] = ""
    redact: tuple[str, ...] = ()
    redact_secrets: bool = False
    definition: Annotated[str, MaxLen(128)] = ""
    enabled: bool = True
    created_at: AwareDatetime | None = None

    @field_validator("redact")
    @classmethod
    def _parse(cls, paths: tuple[str, ...]) -> tuple[str, ...]:
        for path in paths:
            parse_path(f"result.{path}" if path and not path.startswith("[") else f"result{path}")
        return paths

    @model_validator(mode="after")
    def _make_sense(self) -> Self:
        if self.max_uses is not None and self.effect is not Effect.ALLOW:
            msg = (
                f"expected max_uses in a rule that allows only: after so many uses this one would {self.effect} no more"
            )
            raise ValueError(msg)
        if self.max_uses is not None and self.moment is not RuleMoment.BEFORE:
            msg = "expected max_uses only in a rule about calls: results are not counted"
            raise ValueError(msg)
        if (self.redact or self.redact_secrets) and self.moment is not RuleMoment.RESULT:
            said = "redact" if self.redact else "redact_secrets"
            msg = f'{said} hides parts of results: expected moment = "{RuleMoment.RESULT}" beside it'
            raise ValueError(msg)
        if self.required_role and self.effect is not Effect.ASK:
            msg = f'required_role says who may answer: expected effect = "{Effect.ASK}" beside it, got "{self.effect}"'
            raise ValueError(msg)
        if sum(predicate.is_exact for predicate in self.where) > 1:
            msg = "expected all arguments together to be compared at most once"
            raise ValueError(msg)
        return self
