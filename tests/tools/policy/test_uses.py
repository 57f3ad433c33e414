"""How often rules were used, whoever counts at the moment."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import threading
from typing import TYPE_CHECKING

import pytest

from tests.tools.policy.calling import POKE, facts
from tests.tools.running import Clock
from tools import PolicyError
from tools.policy import Effect, Policy, Rule, RuleLocation, RuleUses, Verdict

if TYPE_CHECKING:
    from pathlib import Path

TWICE = Rule(id="twice", effect=Effect.ALLOW, tool="poke", max_uses=2)


def judge(policy: Policy) -> Verdict:
    view = policy.view_of(POKE)
    assert view is not None
    return view.judge(facts())


@pytest.mark.parametrize("place", [RuleLocation.SESSION, RuleLocation.USER])
def test_a_rule_with_a_limit_lets_so_many_calls_run(tmp_path: Path, place: RuleLocation) -> None:
    clock = Clock()
    policy = Policy(user_file=tmp_path / "policy.toml", uses=RuleUses(tmp_path / "uses.sqlite"), clock=clock)
    policy.add(TWICE, place)
    verdicts = [judge(policy) for _ in range(3)]
    assert [verdict.effect for verdict in verdicts] == [Effect.ALLOW] * 3
    assert [policy.claim(verdict) for verdict in verdicts] == [True, True, False]
    assert judge(policy).effect is Effect.ASK
    (fares,) = policy.rules
    assert (fares.uses, fares.suspended) == (2, "all its uses are spent")
    assert fares.last_used is not None
    assert fares.last_used.timestamp() == clock.now_s


def test_looking_takes_no_use(tmp_path: Path) -> None:
    policy = Policy(user_file=tmp_path / "policy.toml", uses=RuleUses(tmp_path / "uses.sqlite"))
    policy.add(TWICE)
    for _ in range(5):
        assert judge(policy).effect is Effect.ALLOW
    assert policy.explain(POKE, {}, "agent:x").effect is Effect.ALLOW
    assert policy.rules[0].uses == 0


def test_a_program_that_dies_gives_no_use_back(tmp_path: Path) -> None:
    """It is killed the moment it was told that the use is its own."""
    code = textwrap.dedent(f"""
        import os, signal
        from pathlib import Path
        from tools.policy import RuleUses
        assert RuleUses(Path({str(tmp_path / "uses.sqlite")!r})).claim("twice", 1.0, 2)
        os.kill(os.getpid(), signal.SIGKILL)
    """)
    for _ in range(2):
        assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -9
    assert not RuleUses(tmp_path / "uses.sqlite").claim("twice", 2.0, 2)


def test_programs_share_what_is_left(tmp_path: Path) -> None:
    code = textwrap.dedent(f"""
        from pathlib import Path
        from tools.policy import RuleUses
        uses = RuleUses(Path({str(tmp_path / "uses.sqlite")!r}))
        print(sum(uses.claim("few", 1.0, 5) for _ in range(4)))
    """)
    programs = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(2)]
    taken = [int(program.communicate()[0]) for program in programs]
    assert sum(taken) == 5
    assert RuleUses(tmp_path / "uses.sqlite").of("few") == (5, 1.0)


def test_uses_without_a_limit_are_written_by_the_next_look(tmp_path: Path) -> None:
    file = tmp_path / "data" / "uses.sqlite"
    policy = Policy(user_file=tmp_path / "policy.toml", uses=RuleUses(file), clock=Clock())
    policy.add(Rule(id="often", effect=Effect.ALLOW, tool="poke"))
    assert all(policy.claim(judge(policy)) for _ in range(3))
    assert policy.rules[0].uses == 3
    assert not file.exists()
    policy.refresh()
    assert RuleUses(file).of("often").uses == 3
    assert policy.rules[0].uses == 3


def test_what_cannot_be_counted_does_not_count(tmp_path: Path) -> None:
    file = tmp_path / "uses.sqlite"
    file.write_text("this is no database, and it is long enough to be looked at as one")
    policy = Policy(user_file=tmp_path / "policy.toml", uses=RuleUses(file))
    policy.add(TWICE)
    assert judge(policy).effect is Effect.ASK
    assert policy.rules[0].suspended == "nobody knows how many of its uses are left"
    (problem,) = policy.problems
    assert problem.startswith(f"how often rules were used cannot be read from {file} (")
    with pytest.raises(PolicyError, match="cannot be written"):
        policy.claim(Verdict(Effect.ALLOW, policy.rules[0], judge(policy).risk, spends=policy.rules))
    file.unlink()
    policy.refresh()
    assert policy.problems == ()
    assert judge(policy).effect is Effect.ALLOW


ROUNDS = 150


def test_every_answer_is_that_of_one_state(tmp_path: Path) -> None:
    policy = Policy(user_file=tmp_path / "policy.toml")
    policy.add(Rule(id="base", effect=Effect.DENY, tool="poke"), RuleLocation.SESSION)
    narrow = Rule(id="narrow", effect=Effect.ALLOW, tool="poke", source="Program")
    problems: list[str] = []
    done = threading.Event()

    def change() -> None:
        for _ in range(ROUNDS):
            undo = policy.add(narrow, RuleLocation.SESSION)
            policy.refresh()
            undo()
        done.set()

    def read() -> None:
        while not done.is_set():
            before = policy.version
            view = policy.view_of(POKE)
            verdict = None if view is None else view.judge(facts())
            deciding = {Effect.DENY: "rule base", Effect.ALLOW: "rule narrow"}
            if verdict is None or verdict.by != deciding.get(verdict.effect):
                problems.append(f"{before}: {verdict}")
            if {placed.rule.id for placed in policy.rules} not in ({"base"}, {"base", "narrow"}):
                problems.append("rules of no state")

    threads = [threading.Thread(target=read) for _ in range(3)]
    for thread in threads:
        thread.start()
    change()
    for thread in threads:
        thread.join()
    assert problems == []
    view = policy.view_of(POKE)
    assert view is not None
    assert view.version == policy.version
    assert view.judge(facts()).effect is Effect.DENY


def test_one_use_is_given_to_one_of_many(tmp_path: Path) -> None:
    policy = Policy(user_file=tmp_path / "policy.toml")
    policy.add(Rule(id="once", effect=Effect.ALLOW, tool="poke", max_uses=1))
    start = threading.Barrier(8)
    won: list[bool] = []

    def claim() -> None:
        view = policy.view_of(POKE)
        assert view is not None
        verdict = view.judge(facts())
        start.wait()
        won.append(policy.claim(verdict))

    threads = [threading.Thread(target=claim) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(won) == [False] * 7 + [True]
