"""The policy is read and changed from several threads at once: each answer is that of one state of it."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from tests.tools.policy.calling import POKE, facts
from tools.policy import Effect, Policy, Rule, RuleLocation

if TYPE_CHECKING:
    from pathlib import Path

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
