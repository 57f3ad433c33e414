from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tools.policy.calling import CHANGES, DELETES, OUTSIDE, TOOLS, facts
from tests.tools.running import Clock
from tools.policy import Autonomy, Effect, Predicate, Rule, RuleLocation, ToolView, Verdict
from tools.policy.judging import IndexedRule, Rules, ordered
from tools.policy.risk import risk_of
from tools.policy.rule_order import rank, specificity_of
from tools.spec import RiskClass, RiskLevel

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tools.policy import Facts

EFFECTS = st.sampled_from(Effect)
PREDICATES = st.lists(
    st.sampled_from(
        [
            Predicate(path="n", at_least=1),
            Predicate(path="n", above=1),
            Predicate(path="path", equals="a.txt"),
            Predicate(path="path", in_=("a.txt", "b.txt")),
            Predicate(path="", equals={"path": "a.txt", "n": 1}),
        ]
    ),
    unique_by=str,
    max_size=3,
)


SHAPES = st.fixed_dictionaries(
    {},
    optional={
        "source": st.sampled_from(["Program", "Prog*", "Built-in"]),
        "tool": st.sampled_from(["poke", "*o*", "*k*", "wipe"]),
        "caller": st.sampled_from(["agent:mira", "agent:*", "you"]),
        "risk": st.sampled_from([(RiskClass.UNKNOWN,), (RiskClass.DESTRUCTIVE, RiskClass.UNKNOWN)]),
        "where": PREDICATES.map(tuple),
        "enabled": st.booleans(),
    },
)
ANSWERS = st.sampled_from([("*",), (), ("deletes",), ("changes", "outside_*")])


@st.composite
def rule_lists(draw: st.DrawFn, effects: st.SearchStrategy[Effect] = EFFECTS) -> list[Rule]:
    """Return rules of which many are equally narrow and say different things."""
    shapes = draw(st.lists(SHAPES, min_size=1, max_size=3))
    several = draw(st.lists(st.tuples(st.sampled_from(shapes), effects, ANSWERS), max_size=5))
    return [
        Rule.model_validate({"id": f"r{place}", "effect": effect, "answers": answers, **shape})
        for place, (shape, effect, answers) in enumerate(several)
    ]


def one_more(effects: st.SearchStrategy[Effect]) -> st.SearchStrategy[Rule]:
    return st.builds(
        lambda shape, effect: Rule.model_validate({"id": "more", "effect": effect, **shape}), SHAPES, effects
    )


CALLS = st.builds(
    lambda name, path, n, caller, concerns: facts(TOOLS[name], {"path": path, "n": n}, *concerns, caller=caller),
    st.sampled_from(["poke", *sorted(TOOLS)]),
    st.sampled_from(["a.txt", "a.txt", "b.txt"]),
    st.sampled_from([1, 1.0, 0, 2]),
    st.sampled_from(["agent:mira", "agent:mira", "agent:other", "you"]),
    st.sampled_from([(), (DELETES,), (CHANGES,), (CHANGES, DELETES), (OUTSIDE, CHANGES)]),
)
LEVELS = st.sampled_from(Autonomy)
TIGHTENING = rule_lists(st.sampled_from([Effect.ASK, Effect.DENY]))


def judged(own: Sequence[Rule], project: Sequence[Rule], level: Autonomy, call: Facts) -> Verdict:
    """Return what is said of a call, without files, so that an example takes microseconds."""
    mine, theirs = (
        ordered(IndexedRule(rule, place) for rule in several)
        for several, place in ((own, RuleLocation.SESSION), (project, RuleLocation.PROJECT))
    )
    return ToolView(call.tool, Rules(mine, theirs, level), Clock(), lambda _: "").judge(call)


# The model: written from the documented order alone, slowly, and without any of the code that is tested.


def fits_glob(pattern: str, name: str) -> bool:
    if pattern.startswith("*") and pattern.endswith("*"):
        return pattern.strip("*") in name
    return name.startswith(pattern[:-1]) if pattern.endswith("*") else pattern == name


def holds(predicate: Predicate, arguments: dict[str, Any]) -> bool:
    if not predicate.path:
        return arguments == predicate.equals
    value = arguments[predicate.path]
    if predicate.in_ is not None:
        return value in predicate.in_
    if predicate.at_least is not None:
        return bool(value >= predicate.at_least)
    if predicate.above is not None:
        return bool(value > predicate.above)
    return bool(value == predicate.equals)


def fits(rule: Rule, call: Facts, risk: RiskClass) -> bool:
    names = [(rule.source, call.tool.source.name), (rule.tool, call.tool.name), (rule.caller, call.caller)]
    return (
        rule.enabled
        and all(fits_glob(*pair) for pair in names)
        and (not rule.risk or risk in rule.risk)
        and all(holds(predicate, dict(call.arguments)) for predicate in rule.where)
    )


def kind_of_pattern(pattern: str) -> int:
    return 0 if pattern == "*" else 1 if "*" in pattern else 2


def narrower(first: Rule, second: Rule) -> bool:
    """Return whether one rule is narrower than another, one question after the other."""
    questions: tuple[Callable[[Rule], int], ...] = (
        lambda rule: any(not item.path for item in rule.where),
        lambda rule: sum(bool(item.path) for item in rule.where),
        lambda rule: kind_of_pattern(rule.tool),
        lambda rule: kind_of_pattern(rule.source),
        lambda rule: bool(rule.risk),
        lambda rule: kind_of_pattern(rule.caller),
    )
    for question in questions:
        if question(first) != question(second):
            return question(first) > question(second)
    return False


def counting(fitting: list[Rule]) -> list[Rule]:
    """Return the rules that none is narrower than, and of these the strictest."""
    narrowest = [rule for rule in fitting if not any(narrower(other, rule) for other in fitting)]
    strictest = max((rule.effect.strictness for rule in narrowest), default=0)
    return [rule for rule in narrowest if rule.effect.strictness == strictest]


def names_as_exactly(first: Rule, second: Rule) -> bool:
    pairs = [(first.tool, second.tool), (first.caller, second.caller)]
    if "*" in first.tool:
        pairs.append((first.source, second.source))
    return all(kind_of_pattern(mine) >= kind_of_pattern(theirs) for mine, theirs in pairs)


def said_by(fitting: list[Rule]) -> Effect:
    """Return what counts, where a rule that denies gives way only to one that names as exactly whom it is about."""
    for rule in fitting:
        outweighed = any(
            narrower(other, rule) and names_as_exactly(other, rule)
            for other in fitting
            if other.effect is not Effect.DENY
        )
        beaten_by_its_like = any(
            narrower(other, rule) and names_as_exactly(other, rule)
            for other in fitting
            if other.effect is Effect.DENY and other is not rule
        )
        if rule.effect is Effect.DENY and not outweighed and not beaten_by_its_like:
            return Effect.DENY
    return counting(fitting)[0].effect


def settled_by_rules(fitting: list[Rule], kinds: set[str]) -> set[str]:
    """Return what the allowing rules settle before the first one that asks or denies."""
    settled: set[str] = set()
    left = list(fitting)
    while left and (best := counting(left))[0].effect is Effect.ALLOW:
        settled |= {kind for rule in best for kind in kinds for word in rule.answers if fits_glob(word, kind)}
        left = [rule for rule in left if rule not in best]
    return settled


def expected(own: list[Rule], project: list[Rule], level: Autonomy, call: Facts) -> Effect:
    risk = risk_of(call.tool, call.arguments, call.concerns).risk
    if risk is RiskClass.ESCALATION:
        return Effect.DENY
    kinds = {concern.kind for concern in call.concerns}
    settled = {concern.kind for concern in call.concerns if level is Autonomy.FULL_AUTO and not concern.grants}
    mine = [rule for rule in own if fits(rule, call, risk)]
    theirs = [rule for rule in project if fits(rule, call, risk)]
    if mine:
        said = said_by(mine)
        settled |= settled_by_rules(mine, kinds)
    else:
        bad = RiskLevel.MEDIUM if call.caller == "you" and risk is RiskClass.UNKNOWN else risk.level
        from_on = {"full_auto": 4, "supervised": 3, "cautious": 2, "manual": 1}[level]
        said = Effect.ASK if bad >= from_on else Effect.ALLOW
    if said is Effect.ALLOW and kinds - settled:
        said = Effect.ASK
    return max([said, *([said_by(theirs)] if theirs else [])], key=lambda effect: effect.strictness)


@given(rule_lists(), TIGHTENING, LEVELS, CALLS)
def test_the_narrowest_counts_then_the_strictest_and_the_project_only_tightens(
    own: list[Rule], project: list[Rule], level: Autonomy, call: Facts
) -> None:
    assert judged(own, project, level, call).effect is expected(own, project, level, call)


@settings(max_examples=40)
@given(rule_lists(), LEVELS, CALLS, st.randoms())
def test_the_order_of_writing_changes_nothing(own: list[Rule], level: Autonomy, call: Facts, random: Any) -> None:
    mixed = list(own)
    random.shuffle(mixed)

    assert judged(own, [], level, call) == judged(mixed, [], level, call)


@settings(max_examples=40)
@given(rule_lists(), TIGHTENING, one_more(st.sampled_from([Effect.ASK, Effect.DENY])), LEVELS, CALLS)
def test_a_project_never_loosens(
    own: list[Rule], project: list[Rule], more: Rule, level: Autonomy, call: Facts
) -> None:
    without = judged(own, [], level, call)

    assert judged(own, project, level, call).effect.strictness >= without.effect.strictness
    assert judged(own, [more], level, call).effect.strictness >= without.effect.strictness


@settings(max_examples=40)
@given(rule_lists(), one_more(st.just(Effect.ALLOW)), LEVELS, CALLS)
def test_one_more_rule_that_allows_never_makes_anything_stricter(
    own: list[Rule], more: Rule, level: Autonomy, call: Facts
) -> None:
    before = judged(own, [], level, call)

    assert judged([*own, more], [], level, call).effect.strictness <= before.effect.strictness


@settings(max_examples=40)
@given(rule_lists(), CALLS)
def test_a_lower_level_never_asks_less(own: list[Rule], call: Facts) -> None:
    by_level = [judged(own, [], level, call).effect.strictness for level in Autonomy]

    assert by_level == sorted(by_level)


@settings(max_examples=40)
@given(rule_lists())
def test_every_two_rules_have_an_order(several: list[Rule]) -> None:
    ranks = [rank(rule) for rule in several]

    assert len(set(ranks)) == len(several)
    for first in several:
        for second in several:
            assert not (narrower(first, second) and specificity_of(first) <= specificity_of(second))


def test_the_documented_order_from_the_narrowest_to_the_widest() -> None:
    exact = Predicate(path="", equals={"path": "a.txt", "n": 1})
    path, number = Predicate(path="path", equals="a.txt"), Predicate(path="n", equals=1)
    ladder: list[dict[str, Any]] = [
        {"where": (exact, path)},
        {"where": (exact,)},
        {"where": (path, number)},
        {"where": (path,), "tool": "poke"},
        {"where": (path,)},
        {"tool": "poke", "source": "Program"},
        {"tool": "poke", "risk": (RiskClass.UNKNOWN,)},
        {"tool": "poke", "caller": "agent:mira"},
        {"tool": "poke"},
        {"tool": "po*", "source": "Program"},
        {"tool": "po*"},
        {"source": "Program"},
        {"source": "Pro*"},
        {"risk": (RiskClass.UNKNOWN,)},
        {"caller": "agent:mira"},
        {"caller": "agent:*"},
        {},
    ]
    several = [Rule.model_validate({"id": f"r{place}", "effect": "deny", **said}) for place, said in enumerate(ladder)]

    assert sorted(several, key=rank) == several
    for place, rule in enumerate(several):
        lenient = rule.model_copy(update={"effect": Effect.ALLOW})
        behind = [other for other in several[place + 1 :] if names_as_exactly(lenient, other)]
        assert judged([lenient, *behind], [], Autonomy.SUPERVISED, facts()).effect is Effect.ALLOW


def test_never_means_never_whatever_is_allowed_without_naming_it() -> None:
    inside = {"path": "path", "equals": "a.txt"}

    def said(*rules: dict[str, Any]) -> Effect:
        several = [Rule.model_validate({"id": f"r{place}", **rule}) for place, rule in enumerate(rules)]
        return judged(several, [], Autonomy.FULL_AUTO, facts()).effect

    never = {"effect": "deny", "tool": "poke"}
    assert said(never, {"effect": "allow", "where": (inside,)}) is Effect.DENY
    assert said(never, {"effect": "ask", "where": (inside,)}) is Effect.DENY
    assert said(never, {"effect": "allow", "where": (inside,), "tool": "poke"}) is Effect.ALLOW
    assert said({"effect": "deny", "caller": "agent:mira"}, {"effect": "allow", "tool": "poke"}) is Effect.DENY
    assert said({"effect": "deny", "source": "Program"}, {"effect": "allow", "tool": "poke"}) is Effect.ALLOW
    assert said({"effect": "deny", "source": "Program"}, {"effect": "allow", "where": (inside,)}) is Effect.DENY
