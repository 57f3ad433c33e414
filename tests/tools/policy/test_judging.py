from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from tests.tools.policy.calling import CHANGES, DELETES, LOOK, OUTSIDE, POKE, WIPE, WRITE, facts, where
from tests.tools.running import Clock
from tools import ToolRegistry, resolve_tools, tool
from tools.card import BUILT_IN, SourceKind, ToolSource
from tools.policy import Autonomy, Effect, Policy, Rule, RuleLocation, Verdict
from tools.spec import RiskClass

if TYPE_CHECKING:
    from tools import Tool
    from tools.policy import Facts


def policy_of(*rules: dict[str, Any], level: Autonomy = Autonomy.SUPERVISED, clock: Clock | None = None) -> Policy:
    policy = Policy(autonomy=level, clock=clock or Clock())
    for place, said in enumerate(rules):
        policy.add(Rule.model_validate({"id": f"r{place}", **said}), RuleLocation.SESSION)
    return policy


def judge(policy: Policy, call: Facts) -> Verdict:
    view = policy.view_of(call.tool)
    return Verdict(Effect.ALLOW, None, RiskClass.READ_ONLY) if view is None else view.judge(call)


class TestLevels:
    @pytest.mark.parametrize(
        ("level", "asked"),
        [
            (Autonomy.FULL_AUTO, set[str]()),
            (Autonomy.SUPERVISED, {"wipe", "poke"}),
            (Autonomy.CAUTIOUS, {"wipe", "poke", "write"}),
            (Autonomy.MANUAL, {"wipe", "poke", "write", "look"}),
        ],
    )
    def test_each_level_asks_from_its_risk_on(self, level: Autonomy, asked: set[str]) -> None:
        policy = policy_of(level=level)
        verdicts = {of.name: judge(policy, facts(of)) for of in (LOOK, WRITE, POKE, WIPE)}

        assert {name for name, verdict in verdicts.items() if verdict.effect is Effect.ASK} == asked
        assert all(level.value.partition("_")[0] in verdicts[name].why.lower() for name in asked)
        assert all(verdicts[name].rule is None for name in asked)

    def test_what_a_person_chose_by_hand_is_known_to_them(self) -> None:
        assert judge(policy_of(), facts(POKE, caller="you")).effect is Effect.ALLOW
        assert judge(policy_of(), facts(POKE, caller="agent:you")).effect is Effect.ASK
        assert judge(policy_of(), facts(WIPE, caller="you")).effect is Effect.ASK
        assert judge(policy_of(level=Autonomy.CAUTIOUS), facts(POKE, caller="you")).effect is Effect.ASK

    def test_full_auto_settles_reasons_but_gives_no_rights(self) -> None:
        automatic = policy_of(level=Autonomy.FULL_AUTO)
        assert judge(automatic, facts(WIPE, None, DELETES)).answered == {"deletes"}
        outside = judge(automatic, facts(WIPE, None, DELETES, OUTSIDE))
        assert (outside.effect, outside.answered, outside.why) == (Effect.ASK, frozenset({"deletes"}), "")

    def test_other_levels_settle_nothing(self) -> None:
        verdict = policy_of().explain(WRITE, {}, "agent:mira", (CHANGES,))
        assert (verdict.effect, verdict.answered, verdict.why) == (Effect.ASK, frozenset(), "")

    def test_the_level_can_be_changed_while_calls_run(self) -> None:
        policy = policy_of()
        told: list[str] = []
        policy.watch(lambda: told.append(policy.version))
        before = policy.version
        assert judge(policy, facts(WRITE)).effect is Effect.ALLOW
        policy.autonomy = Autonomy.MANUAL
        assert judge(policy, facts(WRITE)).effect is Effect.ASK
        policy.autonomy = Autonomy.SUPERVISED

        assert told[0] != before == told[1]


class TestConcerns:
    def test_an_allowing_rule_settles_the_kinds_it_names(self) -> None:
        policy = policy_of({"effect": "allow", "tool": "wipe", "answers": ["deletes"]})
        assert judge(policy, facts(WIPE, None, DELETES)).effect is Effect.ALLOW
        more = judge(policy, facts(WIPE, None, DELETES, OUTSIDE))
        assert (more.effect, more.answered, more.why, more.rule) == (Effect.ASK, frozenset({"deletes"}), "", None)

    def test_wider_rules_that_allow_settle_the_rest_up_to_one_that_asks(self) -> None:
        narrow = {"effect": "allow", "tool": "wipe", "answers": ["deletes"], "where": [where("n", at_least=0)]}
        wide = {"effect": "allow", "answers": ["outside_*"]}
        both = judge(policy_of(narrow, wide), facts(WIPE, None, DELETES, OUTSIDE))
        assert (both.effect, [placed.rule.id for placed in both.spends]) == (Effect.ALLOW, ["r0", "r1"])
        between = judge(policy_of(narrow, {"effect": "ask", "tool": "wipe"}, wide), facts(WIPE, None, DELETES, OUTSIDE))
        assert (between.effect, between.answered) == (Effect.ASK, frozenset({"deletes"}))

    def test_a_rule_that_settles_nothing_still_lifts_the_level(self) -> None:
        policy = policy_of({"effect": "allow", "tool": "poke", "answers": []})
        assert judge(policy, facts(POKE)).effect is Effect.ALLOW
        assert judge(policy, facts(POKE, None, CHANGES)).effect is Effect.ASK


class TestRest:
    def test_a_rule_ends_at_its_hour_to_the_second(self) -> None:
        clock = Clock()
        ends = datetime.fromtimestamp(clock.now_s + 60, UTC)
        policy = policy_of({"effect": "allow", "tool": "poke", "expires_at": ends}, clock=clock)
        clock.now_s += 59.999
        assert judge(policy, facts()).effect is Effect.ALLOW
        clock.now_s += 0.001
        assert judge(policy, facts()).effect is Effect.ASK
        assert policy.rules[0].suspended == "it has expired"

    def test_another_definition_suspends_what_allows_and_never_what_refuses(self) -> None:
        @tool(name="poke")
        def changed(path: str = "", n: float = 0) -> str:
            """Do something else now."""
            return path

        (other,) = resolve_tools([changed])
        found: list[Tool] = [POKE]
        policy = Policy(clock=Clock(), lookup=lambda _: found[0])
        policy.add(Rule(id="yes", effect=Effect.ALLOW, tool="poke", definition=POKE.digest), RuleLocation.SESSION)
        assert judge(policy, facts(POKE)).effect is Effect.ALLOW
        found[0] = other
        assert judge(policy, facts(other)).effect is Effect.ASK
        assert policy.rules[0].suspended == "the definition of poke has changed since"
        policy.add(Rule(id="no", effect=Effect.DENY, tool="poke", definition=POKE.digest), RuleLocation.SESSION)
        assert judge(policy, facts(other)).effect is Effect.DENY

    def test_a_rule_that_is_switched_off_says_nothing(self) -> None:
        policy = policy_of({"effect": "deny", "tool": "look", "enabled": False})
        assert policy.view_of(LOOK) is None
        assert policy.rules[0].suspended == "it is switched off"


class TestViews:
    def test_a_tool_of_which_nothing_is_said_has_none(self) -> None:
        assert policy_of().view_of(LOOK) is None
        assert policy_of({"effect": "deny", "tool": "wipe"}).view_of(LOOK) is None
        assert policy_of({"effect": "deny", "source": "Elsewhere"}).view_of(LOOK) is None
        assert policy_of({"effect": "deny", "caller": "agent:x"}).view_of(LOOK) is not None
        assert policy_of(level=Autonomy.MANUAL).view_of(LOOK) is not None

    def test_a_view_is_made_once_for_each_policy_and_tool(self) -> None:
        policy = policy_of()
        first = policy.view_of(POKE)
        assert first is policy.view_of(POKE)
        policy.add(Rule(id="x", effect=Effect.DENY, tool="poke"), RuleLocation.SESSION)
        assert policy.view_of(POKE) is not first


class TestWords:
    def test_who_is_refused_reads_the_rule_why_and_who_can_change_it(self) -> None:
        policy = policy_of({"effect": "deny", "tool": "wipe", "caller": "agent:*", "reason": "Nobody wipes on Fridays"})
        assert judge(policy, facts(WIPE)).refusal == (
            "Denied by rule: Deny wipe called by agent:* (Nobody wipes on Fridays)."
            " It ends with this run of the program, and you can remove it before."
        )

    def test_signs_that_nobody_sees_are_spelled_out(self) -> None:
        policy = policy_of({"effect": "deny", "caller": "agent:a\u202eb", "reason": "one\ntwo\x9b31m"})
        assert judge(policy, facts(WIPE, caller="agent:a\u202eb")).refusal.startswith(
            "Denied by rule: Deny all tools called by agent:a\\u202eb (one\\u000atwo\\u009b31m). It ends"
        )

    def test_everything_considered_can_be_told(self) -> None:
        policy = policy_of(
            {"effect": "allow", "tool": "poke", "where": [where("n", above=10)]},
            {"effect": "ask", "tool": "poke", "required_role": "lead"},
            {"effect": "allow"},
        )
        verdict = policy.explain(POKE, {"path": "a"}, "agent:mira")
        assert verdict.required_role == "lead"
        assert verdict.by == "rule r1"
        assert verdict.trail == (
            "Ask about poke; a person in the role lead answers",
            "Allow poke when n is above 10: does not count here, it does not hold that n is above 10",
            "Allow all tools",
        )
        assert verdict.risk_why == "The tool does not say whether it changes something."


SECRET = "ghp_" + "aB3dE5gH7jK9mN1pQ2sT4vW6yZ8bC0eF5hJ7"


class TestResults:
    def test_results_are_handed_on_hidden_asked_about_or_withheld(self) -> None:
        policy = policy_of(
            {"effect": "allow", "moment": "result", "tool": "look", "redact": ["password", "rows[].card"]},
            {"effect": "deny", "moment": "result", "where": [where("result.secret", equals=True)]},
            {"effect": "ask", "moment": "result", "tool": "wipe"},
        )
        view = policy.view_of(LOOK)
        assert view is not None
        assert view.has_result_rules
        shown = view.judge_result(facts(LOOK), {"secret": False, "password": "x", "rows": [{"card": "1", "name": "m"}]})
        assert shown is not None
        assert shown.effect is Effect.ALLOW
        assert shown.redacted({"password": "x", "rows": [{"card": "1", "name": "m"}]}) == {
            "password": "••••••",
            "rows": [{"card": "••••••", "name": "m"}],
        }
        withheld = view.judge_result(facts(LOOK), {"secret": True})
        assert withheld is not None
        assert withheld.effect is Effect.DENY
        assert withheld.redact == ("password", "rows[].card")
        assert withheld.refusal.startswith(
            "Withheld by rule: Withhold results of all tools when result.secret is true."
        )
        assert view.judge(facts(LOOK)).effect is Effect.ALLOW

    def test_secrets_are_hidden_wherever_they_stand_in_a_result(self) -> None:
        policy = policy_of({"effect": "allow", "moment": "result", "redact": ["rows[].card"], "redact_secrets": True})
        view = policy.view_of(LOOK)
        assert view is not None
        result: Any = {"rows": [{"card": "1"}], "said": f"use {SECRET} and {SECRET}"}
        verdict = view.judge_result(facts(LOOK), result)
        assert verdict is not None
        assert verdict.redacted(result) == {"rows": [{"card": "••••••"}], "said": "use •••••• and ••••••"}
        beside = view.judge_result(facts(LOOK), "nothing", [f"the token is {SECRET}"])
        assert beside is not None
        assert beside.secrets == {SECRET}

    def test_nothing_said_of_results_costs_nothing(self) -> None:
        view = policy_of({"effect": "deny", "tool": "poke"}).view_of(POKE)
        assert view is not None
        assert not view.has_result_rules
        assert view.judge_result(facts(), "x") is None


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ({"effect": "deny", "max_uses": 3}, "expected max_uses in a rule that allows only"),
        ({"effect": "allow", "moment": "result", "max_uses": 1}, "results are not counted"),
        ({"effect": "allow", "redact": ["a"]}, 'expected moment = "result"'),
        ({"effect": "allow", "required_role": "x"}, 'expected effect = "ask"'),
        ({"effect": "allow", "expires_at": "2026-01-01T00:00:00"}, "timezone"),
        ({"effect": "perhaps"}, "allow"),
        ({"effect": "allow", "tol": "x"}, "Extra inputs"),
        ({"effect": "allow", "where": [where("", equals={}), where("", equals={})]}, "at most once"),
        ({"effect": "allow", "id": "../x"}, "pattern"),
        ({"effect": "allow", "moment": "result", "redact": ["a..b"]}, "is no path"),
    ],
)
def test_a_rule_that_makes_no_sense_is_refused(said: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        Rule.model_validate({"id": "x", **said})


class TestReplacedTools:
    """What is said of a built-in tool when a plugin's tool has its name."""

    def pair(self) -> tuple[Tool, Tool]:
        """Return the plugin's tool and the built-in one that gave way."""
        mine = ToolSource(SourceKind.PLUGIN, "mine.py")
        registry = ToolRegistry([POKE.with_source(BUILT_IN), POKE.with_source(mine)])
        return registry.get("poke"), registry.get("Built-in.poke")

    def effects(self, *rules: dict[str, Any], level: Autonomy = Autonomy.SUPERVISED) -> tuple[Effect, Effect]:
        policy = policy_of(*rules, level=level)
        taken, aside = (judge(policy, facts(tool)).effect for tool in self.pair())
        return taken, aside

    @pytest.mark.parametrize("said", [{"tool": "poke"}, {"tool": "p*"}, {"tool": "poke", "source": "Built-in"}])
    def test_a_permission_stays_with_the_built_in_tool(self, said: dict[str, Any]) -> None:
        assert self.effects({"effect": "allow", **said}) == (Effect.ASK, Effect.ALLOW)

    @pytest.mark.parametrize("effect", ["deny", "ask"])
    @pytest.mark.parametrize("said", [{"tool": "poke"}, {"tool": "poke", "source": "Built-in"}, {"source": "Built-in"}])
    def test_what_is_refused_or_asked_about_counts_for_both(self, effect: str, said: dict[str, Any]) -> None:
        found = self.effects({"effect": effect, **said}, level=Autonomy.FULL_AUTO)
        assert found == (Effect(effect), Effect(effect))

    @pytest.mark.parametrize("said", [{}, {"source": "mine.py"}, {"tool": "poke", "source": "mine.py"}])
    def test_a_permission_that_means_the_new_tool_counts_for_it(self, said: dict[str, Any]) -> None:
        assert self.effects({"effect": "allow", **said})[0] is Effect.ALLOW

    def test_what_a_person_wants_of_the_built_in_tool_goes_with_it(self) -> None:
        policy = policy_of({"effect": "allow", "source": "Built-in", "tool": "poke", "definition": POKE.digest})
        taken, aside = self.pair()
        assert judge(policy, facts(taken)).effect is Effect.ASK
        assert judge(policy, facts(aside)).effect is Effect.ALLOW
