"""`ToolView`: what the policy says of one tool's calls, with everything prepared that does not depend on the call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Final, NamedTuple

from tools.card import BUILT_IN, ToolFacts
from tools.policy.denylist import DenyList, commands_of
from tools.policy.matching import Fits, Subject, compiled_predicate, fits_name, names_compared
from tools.policy.risk import risk_of
from tools.policy.rule_order import RuleSpecificity, rank, specificity_of
from tools.policy.rules import ANYTHING, Autonomy, Effect, Rule, RuleLocation, RuleMoment
from tools.policy.verdicts import Facts, PlacedRule, ResultVerdict, Verdict
from tools.policy.wording import AUTONOMY_WORDS, RISK_WORDS, predicate_words, visible
from tools.protected import PROTECTED
from tools.secret_scan import SecretScan
from tools.spec import Concern, RiskClass, RiskLevel
from tools.tool import Tool

if TYPE_CHECKING:
    from pydantic import JsonValue

YOU: Final = "you"
"""The caller that is the person at the console, who chose the tool and typed the arguments."""

Clock = Callable[[], float]
"""The time in seconds since the epoch."""


class IndexedRule:
    """One rule, ready to be compared with calls.

    Attributes:
        placed: The rule and where it stands, for whoever is told.
    """

    def __init__(self, rule: Rule, place: RuleLocation) -> None:
        self.rule = rule
        self.placed = PlacedRule(rule, place)
        wide = rule.effect is not Effect.ALLOW or rule.moment is RuleMoment.RESULT
        self._wide = wide
        self._predicates: tuple[Fits, ...] = tuple(compiled_predicate(item, wide=wide) for item in rule.where)
        self._expires_s = None if rule.expires_at is None else rule.expires_at.timestamp()
        self._risk = frozenset(rule.risk)

    @cached_property
    def width(self) -> RuleSpecificity:
        return specificity_of(self.rule)

    @cached_property
    def words(self) -> str:
        return self.placed.words

    def concerns(self, tool: Tool) -> bool:
        """Return whether any call of a tool can fit.

        A plugin's tool may have taken the name of a built-in one, so that callers of the name reach another tool now.
        A rule that refuses or asks about the built-in tool counts for the tool in its place too, whichever source it
        names. A rule that allows a tool by its name counts for the tool in its place only when it names its source:
        else a permission for the built-in tool would go to a stranger. A built-in tool that gave way keeps its rules.
        """
        rule, own = self.rule, tool.source.name
        if not rule.enabled or not (fits_name(rule.tool, tool.name) or fits_name(rule.tool, tool.own_name)):
            return False
        fits_source = fits_name(rule.source, own)
        if not tool.replaces:
            return fits_source
        if self._wide:
            return fits_source or fits_name(rule.source, BUILT_IN.name)
        return fits_source and (rule.source != ANYTHING or rule.tool == ANYTHING)

    def rests(self, tool: ToolFacts | None, now_s: float) -> str:
        """Return why the rule says nothing at the moment; empty when it does.

        Args:
            tool: The tool it would say something of; None asks about the rule alone.
            now_s: The time, in seconds since the epoch.
        """
        rule = self.rule
        if not rule.enabled:
            return "it is switched off"
        if self._expires_s is not None and now_s >= self._expires_s:
            return "it has expired"
        if tool is not None and rule.effect is Effect.ALLOW and rule.definition not in {"", tool.digest}:
            return f"the definition of {tool.name} has changed since"
        return ""

    def fits(self, caller: str, risk: RiskClass, subject: Subject) -> bool:
        return (
            fits_name(self.rule.caller, caller)
            and (not self._risk or risk in self._risk)
            and all(fits(subject) for fits in self._predicates)
        )

    def misfit(self, facts: Facts, risk: RiskClass) -> str:
        """Return why the rule does not fit a call, in words; empty when it does."""
        subject = Subject(facts.arguments, facts.project_dir, facts.addresses)
        if not fits_name(self.rule.caller, facts.caller):
            return f"it is about the caller {self.rule.caller}, not {facts.caller}"
        if self._risk and risk not in self._risk:
            return f"it is about other risks; this call {RISK_WORDS[risk]}"
        for fits, predicate in zip(self._predicates, self.rule.where, strict=True):
            if not fits(subject):
                return f"it does not hold that {predicate_words(predicate)}"
        return ""


class Rules(NamedTuple):
    """All that the policy says at one moment; never changed, so that any thread may read it.

    Attributes:
        own: The session's and the person's rules, what counts first standing first.
        project: The project's, likewise.
        closed: Why nothing runs without a question: a file that cannot be read; empty when all can.
        denylist: The commands that never run.
        version: Changes with every rule and the level.
    """

    own: tuple[IndexedRule, ...] = ()
    project: tuple[IndexedRule, ...] = ()
    autonomy: Autonomy = Autonomy.SUPERVISED
    closed: str = ""
    denylist: DenyList = DenyList()
    version: str = ""


def ordered(entries: Iterable[IndexedRule]) -> tuple[IndexedRule, ...]:
    """Return rules in the order in which they count."""
    return tuple(sorted(entries, key=_rank))


def put_together(
    own: Iterable[IndexedRule], project: Iterable[IndexedRule], autonomy: Autonomy, closed: str, denylist: DenyList
) -> Rules:
    """Return all that the policy says, in the order in which it counts, with its version."""
    mine, theirs = ordered(own), ordered(project)
    said = [f"{line.file}:{line.line} {line.text}" for line in denylist.denied] + list(denylist.problems)
    digest = sha256("\n".join([f"{autonomy} {closed}", *said]).encode("utf-8", "surrogatepass"))
    for entry in (*mine, *theirs):
        digest.update(f"\n{entry.placed.place} {entry.rule.model_dump_json()}".encode("utf-8", "surrogatepass"))
    return Rules(mine, theirs, autonomy, closed, denylist, digest.hexdigest()[:16])


def _rank(entry: IndexedRule) -> tuple[tuple[int, ...], int, str]:
    return rank(entry.rule)


class ToolView:
    """Say what becomes of the calls of one tool, as the policy is now.

    Args:
        clock: The time in seconds since the epoch.
        use_left: Says why no use of a rule with a limit is left; empty when one is.
    """

    def __init__(self, tool: Tool, rules: Rules, clock: Clock, use_left: Callable[[IndexedRule], str]) -> None:
        self._tool = tool
        self._rules = rules
        self._clock = clock
        self._use_left = use_left
        self._denylist = rules.denylist if rules.denylist.concerns(tool) else None
        about = [entry for entry in rules.own if entry.concerns(tool)]
        projects = [entry for entry in rules.project if entry.concerns(tool)]
        self._own = tuple(entry for entry in about if entry.rule.moment is RuleMoment.BEFORE)
        self._project = tuple(entry for entry in projects if entry.rule.moment is RuleMoment.BEFORE)
        self._own_results = tuple(entry for entry in about if entry.rule.moment is RuleMoment.RESULT)
        self._project_results = tuple(entry for entry in projects if entry.rule.moment is RuleMoment.RESULT)

    @property
    def version(self) -> str:
        return self._rules.version

    @property
    def matters(self) -> bool:
        """Whether anything that is said can concern any call of the tool."""
        rules = self._rules
        if rules.closed or self._own or self._project or self.has_result_rules or self._denylist is not None:
            return True
        tool = self._tool
        if tool.asks_first or tool.path_roles or tool.concerns_of or tool.shell_commands:
            # What its calls can do is seen when their arguments are known.
            return True
        return risk_of(tool, {}, ()).risk.level >= rules.autonomy.asks_from

    def names_compared(self, arguments: Mapping[str, JsonValue]) -> frozenset[str]:
        """Return the names of hosts among the arguments of which it matters what addresses they lead to."""
        wide = (entry.rule for entry in (*self._own, *self._project) if entry.rule.effect is not Effect.ALLOW)
        return frozenset(name for rule in wide for item in rule.where for name in names_compared(item, arguments))

    @property
    def has_result_rules(self) -> bool:
        """Whether anything may be said of the tool's results."""
        return bool(self._rules.closed or self._own_results or self._project_results)

    def judge(self, facts: Facts, *, in_full: bool = False) -> Verdict:
        """Return what becomes of a call.

        Args:
            in_full: Whether the trail also has the rules that do not fit, and why.
        """
        risk, degree, risk_why = risk_of(self._tool, facts.arguments, facts.concerns)
        own, project = (self._fitting(entries, facts, risk) for entries in (self._own, self._project))
        verdict = _left_to_person(self._decided(facts, risk, risk_why, own, project), facts.concerns)
        said = verdict.why or "nothing that is said of this call needs a question"
        others = [entry.words for entry in (*own, *project)] if not in_full else self._in_words(facts, risk)
        trail = (said, *(words for words in others if words != said))
        return verdict._replace(degree=degree, risk_why=risk_why, trail=trail)

    def judge_result(self, facts: Facts, result: JsonValue, others: Sequence[JsonValue] = ()) -> ResultVerdict | None:
        """Return what becomes of a result; None when nothing is said of it.

        Args:
            others: In which forms it is handed on besides, where those say more.
        """
        if not self.has_result_rules:
            return None
        risk = risk_of(self._tool, facts.arguments, facts.concerns).risk
        with_result = facts._replace(arguments={**facts.arguments, "result": result})
        own, project = (
            self._fitting(entries, with_result, risk) for entries in (self._own_results, self._project_results)
        )
        redact = tuple(dict.fromkeys(path for entry in (*own, *project) for path in entry.rule.redact))
        hides_secrets = any(entry.rule.redact_secrets for entry in (*own, *project))
        secrets = SecretScan().secrets_in([result, *others]) if hides_secrets else frozenset()
        chosen = _stricter(own, project)
        if self._rules.closed and (chosen is None or chosen.rule.effect is not Effect.DENY):
            return ResultVerdict(Effect.ASK, None, self._rules.closed, redact, secrets=secrets)
        if chosen is None:
            return None
        return ResultVerdict(
            chosen.rule.effect, chosen.placed, chosen.words, redact, chosen.rule.required_role, secrets
        )

    def _fitting(self, entries: tuple[IndexedRule, ...], facts: Facts, risk: RiskClass) -> list[IndexedRule]:
        """Return the rules that fit a call, what counts first standing first."""
        if not entries:
            return []
        subject, now_s = Subject(facts.arguments, facts.project_dir, facts.addresses), self._clock()
        return [
            entry
            for entry in entries
            if not entry.rests(self._tool, now_s)
            and entry.fits(facts.caller, risk, subject)
            and not self._use_left(entry)
        ]

    def _in_words(self, facts: Facts, risk: RiskClass) -> Iterator[str]:
        """Yield all rules about the tool, and why those do not count that do not."""
        now_s = self._clock()
        for entry in (*self._own, *self._project):
            why = entry.rests(self._tool, now_s) or entry.misfit(facts, risk) or self._use_left(entry)
            yield visible(f"{entry.words}: does not count here, {why}") if why else entry.words

    def _decided(
        self, facts: Facts, risk: RiskClass, risk_why: str, own: list[IndexedRule], project: list[IndexedRule]
    ) -> Verdict:
        if risk is RiskClass.ESCALATION:
            why = f"calls that want more rights are always refused, and no rule changes that. {risk_why}"
            return Verdict(Effect.DENY, None, risk, why)
        commands = () if self._denylist is None else commands_of(self._tool, facts.arguments)
        if self._denylist is not None and (why := self._denylist.refusal(commands)):
            return Verdict(Effect.DENY, None, risk, why)
        chosen = _stricter(own, project)
        closed = self._rules.closed
        if self._denylist is not None and commands and not closed:
            closed = " ".join(self._denylist.problems)
        if closed and (chosen is None or chosen.rule.effect is not Effect.DENY):
            return Verdict(Effect.ASK, None, risk, closed)
        if chosen is not None and chosen.rule.effect is not Effect.ALLOW:
            role = chosen.rule.required_role or next((item.rule.required_role for item in project[:1]), "")
            return Verdict(chosen.rule.effect, chosen.placed, risk, chosen.words, required_role=role)
        if own:
            return _allowed(own, facts.concerns, risk, _settled_by_level(self._rules.autonomy, facts.concerns))
        return self._by_level(facts, risk)

    def _by_level(self, facts: Facts, risk: RiskClass) -> Verdict:
        """Return what becomes of a call of which no rule says anything."""
        autonomy = self._rules.autonomy
        # Whoever chose the tool by hand and typed the arguments knows what it does.
        level = RiskLevel.MEDIUM if risk is RiskClass.UNKNOWN and facts.caller == YOU else risk.level
        if level >= autonomy.asks_from:
            return Verdict(Effect.ASK, None, risk, f"This call {RISK_WORDS[risk]}. {AUTONOMY_WORDS[autonomy]}")
        answered = _settled_by_level(autonomy, facts.concerns)
        effect = Effect.ALLOW if answered.issuperset(concern.kind for concern in facts.concerns) else Effect.ASK
        why = AUTONOMY_WORDS[autonomy] if answered and effect is Effect.ALLOW else ""
        return Verdict(effect, None, risk, why, answered)


def _left_to_person(verdict: Verdict, concerns: tuple[Concern, ...]) -> Verdict:
    """Return a verdict that leaves it to a person whether what decides what may run is changed."""
    if not any(concern.kind == PROTECTED for concern in concerns):
        return verdict
    answered = verdict.answered - {PROTECTED}
    if verdict.effect is not Effect.ALLOW:
        return verdict._replace(answered=answered)
    return Verdict(Effect.ASK, None, verdict.risk, answered=answered)


def _stricter(own: list[IndexedRule], project: list[IndexedRule]) -> IndexedRule | None:
    """Return the rule that counts: of what counts in each place, the stricter one."""
    mine, theirs = _counting(own), _counting(project)
    if mine is None or theirs is None:
        return mine or theirs
    return theirs if theirs.rule.effect.strictness > mine.rule.effect.strictness else mine


def _counting(entries: list[IndexedRule]) -> IndexedRule | None:
    """Return the rule that counts: the first, or one that denies and that no rule before it may outweigh.

    Somebody who never wants a tool to run, or a caller to be served, does not mean "but in that folder it may", said
    of all tools. So a rule that denies gives way only to narrower ones that name tool, source and caller as exactly.
    """
    for place, entry in enumerate(entries):
        if entry.rule.effect is Effect.DENY and not any(
            item.width.names_as_exactly(entry.width) for item in entries[:place]
        ):
            return entry
    return entries[0] if entries else None


def _settled_by_level(autonomy: Autonomy, concerns: tuple[Concern, ...]) -> frozenset[str]:
    """Return the kinds of concerns that need no question at a level: what gives a tool further rights always does."""
    if autonomy is not Autonomy.FULL_AUTO:
        return frozenset()
    granting = {concern.kind for concern in concerns if concern.grants}
    return frozenset(concern.kind for concern in concerns) - granting


def _allowed(
    own: list[IndexedRule], concerns: tuple[Concern, ...], risk: RiskClass, by_level: frozenset[str]
) -> Verdict:
    """Return what becomes of a call that the rule which counts first allows.

    The allowing rules behind it, up to the first one that asks or denies, settle what it leaves open; so one more
    rule that allows never makes anything stricter.
    """
    first = own[0]
    open_kinds = dict.fromkeys(concern.kind for concern in concerns)
    answered = set(by_level)
    spends: list[PlacedRule] = []
    for entry in own:
        if entry.rule.effect is not Effect.ALLOW:
            break
        settled = {kind for kind in open_kinds if any(fits_name(word, kind) for word in entry.rule.answers)} - answered
        if settled or entry is first:
            spends.append(entry.placed)
        answered |= settled
        if answered.issuperset(open_kinds):
            return Verdict(Effect.ALLOW, first.placed, risk, first.words, frozenset(answered), spends=tuple(spends))
    return Verdict(Effect.ASK, None, risk, "", frozenset(answered))
