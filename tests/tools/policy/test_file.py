from __future__ import annotations

import re
import subprocess
import sys
import textwrap
from datetime import UTC, datetime
from importlib import resources
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.tools.policy.calling import LOOK, POKE, WIPE, facts, where
from tests.tools.running import Clock
from tools import PolicyError
from tools.policy import Autonomy, Effect, Policy, Predicate, Rule, RuleLocation
from tools.policy.file import PolicyFile

if TYPE_CHECKING:
    from pathlib import Path

WRITTEN = """\
# How we work here.
autonomy = "cautious"  # until the audit

# Mira's own
[[rule]]
id = "first"   # the oldest
effect = "allow"
# only this folder
where = [{ path = "path", inside = "src" }]
tool = "poke"

# nobody wipes
[[rule]]
id = "second"
effect = "deny"
tool = "wipe"

# and that is all
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "config" / "policy.toml"
    found.parent.mkdir()
    return found


def effect_of(policy: Policy, *, deny_in: Any = POKE) -> tuple[Effect, str]:
    view = policy.view_of(deny_in)
    if view is None:
        return Effect.ALLOW, ""
    verdict = view.judge(facts(deny_in))
    return verdict.effect, verdict.why


class TestWriting:
    def test_comments_order_and_spacing_stay_as_they_are(self, path: Path) -> None:
        path.write_text(WRITTEN)
        policy = Policy(user_file=path)
        policy.add(Rule(id="third", effect=Effect.ASK, tool="look"))
        added = '\n[[rule]]\nid = "third"\neffect = "ask"\ntool = "look"\n'
        assert path.read_text() == WRITTEN + added
        policy.remove("second")
        policy.keep_autonomy(Autonomy.MANUAL)
        left = WRITTEN.replace("cautious", "manual").replace(
            '# nobody wipes\n[[rule]]\nid = "second"\neffect = "deny"\ntool = "wipe"\n\n', ""
        )
        assert path.read_text() == left + added
        former = policy.find("first").rule
        policy.replace(former.model_copy(update={"effect": Effect.DENY, "reason": 'said "no"'}))
        assert path.read_text() == (left + added).replace("allow", "deny").replace(
            'tool = "poke"\n', 'tool = "poke"\nreason = "said \\"no\\""\n'
        )

    def test_an_undo_puts_comments_back_unless_somebody_wrote_meanwhile(self, path: Path) -> None:
        path.write_text(WRITTEN)
        policy = Policy(user_file=path)
        undo = policy.remove("first")
        assert "Mira's own" not in path.read_text()
        undo()
        assert path.read_text() == WRITTEN
        undo = policy.remove("first")
        policy.add(Rule(id="third", effect=Effect.ASK, tool="look"))
        undo()
        assert [rule.id for rule in PolicyFile(path).read().rules] == ["second", "third", "first"]
        with pytest.raises(PolicyError, match="there is a rule 'first' already"):
            undo()

    def test_a_first_rule_makes_the_file_and_its_folder(self, tmp_path: Path) -> None:
        path = tmp_path / "new" / "policy.toml"
        undo = Policy(user_file=path).add(Rule(id="only", effect=Effect.DENY, tool="wipe"))
        assert path.read_text().startswith("# Rules of Tool Console: ")
        assert Policy(user_file=path).rules[0].rule.id == "only"
        undo()
        assert PolicyFile(path).read().rules == ()

    def test_windows_line_ends_and_marks_of_editors_are_read(self, path: Path) -> None:
        path.write_bytes(b"\xef\xbb\xbf" + WRITTEN.replace("\n", "\r\n").encode())
        policy = Policy(user_file=path)
        policy.remove("first")
        assert [placed.rule.id for placed in policy.rules] == ["second"]
        assert b"nobody wipes\r\n[[rule]]" in path.read_bytes()

    def test_a_link_to_where_somebody_keeps_their_settings_stays_one(self, path: Path, tmp_path: Path) -> None:
        kept = tmp_path / "dotfiles.toml"
        kept.write_text(WRITTEN)
        kept.chmod(0o640)
        path.symlink_to(kept)
        Policy(user_file=path).remove("first")
        assert path.is_symlink()
        assert "first" not in kept.read_text()
        assert kept.stat().st_mode & 0o777 == 0o640

    def test_what_only_a_person_can_change_stays_as_it_is(self, path: Path) -> None:
        text = 'rule = [{ id = "a", effect = "deny" }]\n'
        path.write_text(text)
        with pytest.raises(PolicyError, match=r"only a person can change; write each rule under \[\[rule\]\]"):
            Policy(user_file=path).remove("a")
        assert path.read_text() == text

    def test_a_text_that_looks_like_a_rule_deceives_nobody(self, path: Path) -> None:
        path.write_text('[[rule]]\nid = "a"\neffect = "deny"\nreason = """\n[[rule]]\nid = "b"\n"""\n')
        policy = Policy(user_file=path)
        with pytest.raises(PolicyError, match="only a person can change"):
            policy.remove("a")
        assert [placed.rule.id for placed in policy.rules] == ["a"]

    def test_an_id_is_given_once(self, path: Path) -> None:
        path.write_text(WRITTEN)
        with pytest.raises(PolicyError, match="there is a rule 'first' already"):
            Policy(user_file=path).add(Rule(id="first", effect=Effect.DENY), RuleLocation.SESSION)

    def test_a_folder_that_cannot_be_written_is_named(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")
        policy = Policy(user_file=tmp_path / "file" / "policy.toml")
        with pytest.raises(PolicyError, match="cannot be"):
            policy.add(Rule(id="a", effect=Effect.DENY))
        assert policy.rules == ()

    def test_two_programs_that_write_at_once_lose_nothing(self, path: Path) -> None:
        code = textwrap.dedent(f"""
            import sys
            from pathlib import Path
            from tools.policy import Policy, Rule
            policy = Policy(user_file=Path({str(path)!r}))
            for number in range(6):
                policy.add(Rule(id=f"{{sys.argv[1]}}{{number}}", effect="deny", tool="wipe"))
                if number % 2:
                    policy.remove(f"{{sys.argv[1]}}{{number - 1}}")
        """)
        programs = [subprocess.Popen([sys.executable, "-c", code, name]) for name in "ab"]
        assert [program.wait() for program in programs] == [0, 0]
        kept = {rule.id for rule in PolicyFile(path).read().rules}
        assert kept == {f"{name}{number}" for name in "ab" for number in (1, 3, 5)}
        assert sorted(item.name for item in path.parent.iterdir()) == [".policy.toml.lock", "policy.toml"]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    st.dictionaries(st.text(), VALUES, max_size=3),
    st.lists(VALUES, min_size=1, max_size=3),
    TEXTS,
    st.datetimes(datetime(1990, 1, 1), datetime(2090, 1, 1), timezones=st.just(UTC)),  # noqa: DTZ001 -- `timezones` is
)
def test_every_rule_comes_back_from_the_file_as_it_was(
    path: Path, exact: dict[str, Any], several: list[Any], text: str, moment: datetime
) -> None:
    rule = Rule(
        id="r",
        effect=Effect.ALLOW,
        tool=text,
        where=(
            Predicate(path="", equals=exact),
            Predicate.model_validate({"path": "a", "in": several}),
            Predicate(path='b["x.y"]', prefix=text),
            Predicate(path="c", above=0.1),
        ),
        answers=(),
        expires_at=moment,
        reason=text,
        max_uses=3,
    )
    path.unlink(missing_ok=True)
    PolicyFile(path).add(rule)
    (read,) = PolicyFile(path).read().rules
    assert read == rule
    PolicyFile(path).replace(rule.model_copy(update={"where": rule.where[1:], "reason": ""}))
    assert PolicyFile(path).read().rules[0].where == rule.where[1:]


class TestFailsClosed:
    @pytest.mark.parametrize(
        "text",
        [
            "rule = 1",
            "[[rule]]\nid = 'a'",
            "[[rule]]\nid = 'a'\neffect = 'deny'\ntol = 'wipe'",
            "[[rules]]\nid = 'a'\neffect = 'deny'",
            "[[rule]]\nid = 'a'\neffect = 'deny'\n[[rule]]\nid = 'a'\neffect = 'ask'",
            "[[rule]]\nid = 'a'\neffect = 'allow'\nwhere = [{path = 'x', equals_json = '{'}]",
            "[[rule]]\nid = 'a'\neffect = 'allow'\nwhere = [{path = 'x', equals_json = '1', equals = 2}]",
            "[[rule]]\nid = 'a'\neffect = 'allow'\nwhere = [{path = 'x', equals = 2026-01-01}]",
            "[[rule]]\nid = 'a'\neffect = 'allow'\nexpires_at = 2026-01-01T00:00:00",
            "[[rule]\n",
            "\x00",
        ],
    )
    def test_what_cannot_be_read_makes_everything_a_question(self, path: Path, text: str) -> None:
        path.write_text(text)
        policy = Policy(user_file=path, autonomy=Autonomy.FULL_AUTO)
        (problem,) = policy.problems
        assert problem.startswith(f"The policy file {path} cannot be read, so every call is asked about: ")
        assert effect_of(policy, deny_in=LOOK) == (Effect.ASK, problem)
        view = policy.view_of(LOOK)
        assert view is not None
        result = view.judge_result(facts(LOOK), "x")
        assert result is not None
        assert (result.effect, result.why) == (Effect.ASK, problem)

    def test_bytes_that_are_no_text_and_a_folder_in_its_place_are_problems(self, path: Path) -> None:
        path.write_bytes(b"\xff\xfe")
        assert effect_of(Policy(user_file=path))[0] is Effect.ASK
        path.unlink()
        path.mkdir()
        assert effect_of(Policy(user_file=path), deny_in=LOOK)[0] is Effect.ASK

    @pytest.mark.skipif(sys.platform == "win32", reason="has no such device")
    def test_what_never_ends_and_what_is_too_large_is_not_read(self, path: Path) -> None:
        path.symlink_to("/dev/zero")
        assert effect_of(Policy(user_file=path), deny_in=LOOK)[0] is Effect.ASK
        path.unlink()
        path.write_text("#" * 1_000_001)
        assert Policy(user_file=path).problems[0].endswith("expected a file of at most 1,000,000 bytes")

    def test_what_is_denied_elsewhere_stays_denied_and_nothing_stays_allowed(self, path: Path) -> None:
        path.write_text("rule = 1")
        policy = Policy(user_file=path)
        policy.add(Rule(id="no", effect=Effect.DENY, tool="wipe"), RuleLocation.SESSION)
        policy.add(Rule(id="yes", effect=Effect.ALLOW, tool="poke"), RuleLocation.SESSION)
        assert effect_of(policy, deny_in=WIPE)[0] is Effect.DENY
        assert effect_of(policy, deny_in=POKE)[0] is Effect.ASK

    def test_the_last_good_state_is_not_used_and_a_mended_file_counts_again(self, path: Path) -> None:
        path.write_text("[[rule]]\nid = 'a'\neffect = 'allow'\ntool = 'poke'\n")
        policy = Policy(user_file=path)
        told: list[tuple[str, ...]] = []
        policy.watch(lambda: told.append(policy.problems))
        assert effect_of(policy)[0] is Effect.ALLOW
        path.write_text("[[rule]]\nid = 'a'\neffect = 'allow'\ntool = 'po")
        policy.refresh()
        assert effect_of(policy)[0] is Effect.ASK
        with pytest.raises(PolicyError, match="cannot be read"):
            policy.add(Rule(id="b", effect=Effect.DENY))
        path.write_text("[[rule]]\nid = 'a'\neffect = 'allow'\ntool = 'poke'\nreason = 'mended'\n")
        policy.refresh()
        assert effect_of(policy)[0] is Effect.ALLOW
        assert [len(problems) for problems in told] == [1, 0]


class TestWatching:
    def test_a_change_counts_from_the_next_look_and_is_told_once(self, path: Path) -> None:
        policy = Policy(user_file=path)
        told: list[str] = []
        unwatch = policy.watch(lambda: told.append(policy.version))
        policy.refresh()
        assert told == []
        path.write_text("[[rule]]\nid = 'a'\neffect = 'deny'\ntool = 'poke'\n")
        assert effect_of(policy)[0] is Effect.ASK
        policy.refresh()
        policy.refresh()
        assert effect_of(policy)[0] is Effect.DENY
        assert told == [policy.version]
        path.unlink()
        policy.refresh()
        assert effect_of(policy)[0] is Effect.ASK
        unwatch()
        unwatch()
        path.write_text("[[rule]]\nid = 'a'\neffect = 'deny'\ntool = 'poke'\n")
        policy.refresh()
        assert len(told) == 2

    def test_the_level_of_the_file_counts_until_somebody_chooses_another_for_this_run(self, path: Path) -> None:
        path.write_text('autonomy = "manual"\n')
        policy = Policy(user_file=path)
        assert policy.autonomy is Autonomy.MANUAL
        policy.autonomy = Autonomy.FULL_AUTO
        path.write_text('autonomy = "cautious"\n')
        policy.refresh()
        assert policy.autonomy is Autonomy.FULL_AUTO
        assert Policy(user_file=path).autonomy is Autonomy.CAUTIOUS
        assert Policy(user_file=path, autonomy=Autonomy.SUPERVISED).autonomy is Autonomy.SUPERVISED


class TestProject:
    @pytest.fixture
    def project(self, tmp_path: Path) -> Path:
        (tmp_path / "project" / ".tool-console").mkdir(parents=True)
        return tmp_path / "project"

    def test_a_project_can_refuse_what_the_person_allows(self, project: Path, path: Path) -> None:
        path.write_text(
            "[[rule]]\nid = 'a'\neffect = 'allow'\ntool = 'poke'\nwhere = [{path = '', equals_json = '{}'}]\n"
        )
        file = project / ".tool-console" / "policy.toml"
        file.write_text("[[rule]]\nid = 'theirs'\neffect = 'deny'\ntool = 'poke'\nreason = 'Not here'\n")
        policy = Policy(user_file=path, project_dir=project)
        view = policy.view_of(POKE)
        assert view is not None
        verdict = view.judge(facts(POKE, {}))
        assert verdict.refusal == (
            "Denied by rule: Deny poke (Not here). Whoever keeps the project can change it, in the project's policy."
        )
        policy.project_dir = None
        assert effect_of(policy)[0] is Effect.ASK

    def test_what_would_loosen_is_left_out_and_named(self, project: Path) -> None:
        file = project / ".tool-console" / "policy.toml"
        file.write_text(
            'autonomy = "full_auto"\n'
            "[[rule]]\nid = 'trap'\neffect = 'allow'\n"
            "[[rule]]\nid = 'hide'\neffect = 'allow'\nmoment = 'result'\nredact = ['token']\n"
        )
        policy = Policy(project_dir=project)
        assert [placed.rule.id for placed in policy.rules] == ["hide"]
        assert policy.autonomy is Autonomy.SUPERVISED
        assert effect_of(policy)[0] is Effect.ASK
        trap, level = policy.problems
        assert trap == (
            f"{file}: the rule 'trap' would allow calls, but a project's rules can only ask and deny;"
            " move it to your own policy"
        )
        assert level == f"{file}: a project cannot set the autonomy level; take it out"

    def test_a_rule_that_allows_is_not_written_into_a_project(self, project: Path) -> None:
        policy = Policy(project_dir=project)
        with pytest.raises(PolicyError, match="a project's rules can only ask and deny"):
            policy.add(Rule(id="x", effect=Effect.ALLOW), RuleLocation.PROJECT)
        assert policy.problems == ()
        policy.add(Rule(id="x", effect=Effect.DENY, tool="poke"), RuleLocation.PROJECT)
        assert effect_of(policy)[0] is Effect.DENY

    def test_a_project_file_that_cannot_be_read_makes_everything_a_question(self, project: Path) -> None:
        (project / ".tool-console" / "policy.toml").write_text("what?")
        policy = Policy(project_dir=project)
        policy.add(Rule(id="x", effect=Effect.ALLOW), RuleLocation.SESSION)
        assert effect_of(policy, deny_in=LOOK)[0] is Effect.ASK


def test_without_a_file_nothing_is_kept_and_it_is_said() -> None:
    with pytest.raises(PolicyError, match="no file keeps rules of the user here; keep the rule for this session"):
        Policy(clock=Clock()).add(
            Rule(id="x", effect=Effect.DENY, where=(Predicate.model_validate(where("a", equals=1)),))
        )


def test_the_rules_on_the_help_page_are_rules(path: Path) -> None:
    page = resources.files("resources").joinpath("help", "approvals.md").read_text("utf-8")
    path.write_text("\n".join(re.findall(r"```toml\n(.*?)```", page, re.DOTALL)), "utf-8")
    ids = {placed.rule.id for placed in Policy(user_file=path).rules}
    assert ids == {"notes", "no-production", "ask-before-secrets-leave", "hide-secrets"}
    for key in Rule.model_fields.keys() - {"id", "created_at"}:
        assert key in page
