"""Deny lists of commands: which lines mean what, and which calls they refuse."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import pytest

from tests.tools.running import Answers, Recorder
from tools import CallStatus, Executor, Param, ReviewDecided, ToolRegistry, process_tool, resolve_tools, tool
from tools.catalog.system import System
from tools.policy import Autonomy, Effect, Policy, Rule, RuleLocation
from tools.policy.denylist import MOST_LINES, DenyListFile
from tools.protected import PROJECT_FOLDER


@pytest.fixture
def denylist(tmp_path: Path) -> Path:
    """Return where the person's list is."""
    return tmp_path / "settings" / "command-denylist.txt"


def written(file: Path, *lines: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n".join(lines), "utf-8")
    return file


def policy_of(denylist: Path, project_dir: Path | None = None) -> Policy:
    policy = Policy(denylist=denylist, project_dir=project_dir, autonomy=Autonomy.FULL_AUTO)
    policy.add(Rule(id="all", effect=Effect.ALLOW, tool="*"), RuleLocation.SESSION)
    return policy


def called(policy: Policy, tools: Any, name: str, arguments: dict[str, Any], project_dir: Path) -> tuple[Any, Recorder]:
    recorder = Recorder()
    registry = ToolRegistry(resolve_tools([tools]))
    executor = Executor(
        registry, policy=policy, review_handler=Answers(), listeners=[recorder], project_dir=project_dir
    )
    try:
        return executor.run(name, arguments), recorder
    finally:
        executor.close()


def ran(policy: Policy, command: str, project_dir: Path, **further: Any) -> Any:
    return called(policy, System, "run_command", {"command": command, **further}, project_dir)[0]


class TestLines:
    @pytest.mark.reference("C50")
    def test_are_keywords_expressions_and_comments(self, denylist: Path) -> None:
        found = DenyListFile(
            written(denylist, "# never", "", "KEYWORD:  Rm   -RF ", r"REGEX:^git\s+push", "KEYWORD:shutdown")
        ).read()
        assert found.problems == ()
        assert [(line.line, line.keyword, line.pattern and line.pattern.pattern) for line in found.denied] == [
            (3, "rm -rf", None),
            (4, "", r"^git\s+push"),
            (5, "shutdown", None),
        ]

    @pytest.mark.parametrize(
        ("line", "words"),
        [
            ("rm -rf", "expected KEYWORD: or REGEX: before what is denied, or # before a comment, got 'rm -rf'"),
            ("keyword:rm", "expected KEYWORD: or REGEX: before what is denied"),
            ("KEYWORD:", "expected 1 to 1,000 letters behind KEYWORD:, got 0"),
            ("KEYWORD:" + "x" * 1001, "expected 1 to 1,000 letters behind KEYWORD:, got 1,001"),
            ("REGEX:(", "'(' is no regular expression"),
        ],
    )
    def test_that_mean_nothing_are_named_and_the_others_count(self, denylist: Path, line: str, words: str) -> None:
        found = DenyListFile(written(denylist, "KEYWORD:one", line, "KEYWORD:two")).read()
        assert [denied.keyword for denied in found.denied] == ["one", "two"]
        (problem,) = found.problems
        assert problem.startswith(f"{denylist}, line 2: {words}")
        assert problem.endswith("until then every command is asked about")

    def test_are_bounded_in_number(self, denylist: Path) -> None:
        found = DenyListFile(written(denylist, *["KEYWORD:x"] * (MOST_LINES + 1))).read()
        assert (len(found.denied), len(found.problems)) == (MOST_LINES, 1)

    def test_of_a_file_that_cannot_be_read_are_a_problem_and_of_none_are_none(self, denylist: Path) -> None:
        assert DenyListFile(denylist).read() == ((), ())
        denylist.mkdir(parents=True)
        assert "cannot be read" in DenyListFile(denylist).read().problems[0]


class TestACommand:
    @pytest.mark.reference("C50")
    @pytest.mark.parametrize("line", ["KEYWORD:ECHO NO", "REGEX:echo +no$"])
    def test_on_the_list_is_refused_whatever_a_rule_or_a_person_allows(
        self, denylist: Path, tmp_path: Path, line: str
    ) -> None:
        policy = policy_of(written(denylist, "# mine", line))
        response, recorder = called(policy, System, "run_command", {"command": "echo no"}, tmp_path)
        assert response.status is CallStatus.DENIED
        assert f"line 2 of the deny list {denylist} forbids such commands: {line}" in response.text
        assert [event.by for event in recorder.events if isinstance(event, ReviewDecided)] == ["policy"]
        assert ran(policy, "echo yes", tmp_path).status is CallStatus.EXECUTED

    @pytest.mark.reference("C50")
    def test_asks_before_it_leaves_the_project(self, denylist: Path, tmp_path: Path) -> None:
        (project := tmp_path / "project").mkdir()
        policy = Policy(denylist=denylist, autonomy=Autonomy.SUPERVISED)
        reviewer = Answers()
        executor = Executor(
            ToolRegistry(resolve_tools([System])), policy=policy, review_handler=reviewer, project_dir=project
        )
        executor.run("run_command", {"command": "pwd", "folder": str(tmp_path)})
        executor.close()
        assert "Outside the project folder" in [concern.title for concern in reviewer.requests[0].concerns]

    def test_of_the_projects_list_is_refused_too(self, denylist: Path, tmp_path: Path) -> None:
        written(tmp_path / PROJECT_FOLDER / "command-denylist.txt", "KEYWORD:echo")
        policy = policy_of(denylist, tmp_path)
        assert ran(policy, "echo no", tmp_path).status is CallStatus.DENIED

    def test_is_judged_by_the_list_as_it_is_now(self, denylist: Path, tmp_path: Path) -> None:
        policy = policy_of(denylist)
        assert ran(policy, "echo x", tmp_path).status is CallStatus.EXECUTED
        written(denylist, "KEYWORD:echo")
        policy.refresh()
        assert ran(policy, "echo x", tmp_path).status is CallStatus.DENIED
        policy.denylist_path = denylist.with_name("other.txt")
        assert ran(policy, "echo x", tmp_path).status is CallStatus.EXECUTED

    def test_is_asked_about_while_a_line_means_nothing_and_other_calls_are_not(
        self, denylist: Path, tmp_path: Path
    ) -> None:
        policy = policy_of(written(denylist, "rm"))
        assert policy.problems
        verdict = policy.explain(next(iter(resolve_tools([System]))), {"command": "ls"}, "you")
        assert (verdict.effect, "line 1" in verdict.why) == (Effect.ASK, True)
        plain = next(tool for tool in resolve_tools([System]) if not tool.shell_commands)
        assert policy.view_of(plain) is not None
        assert policy.explain(plain, {}, "you").effect is Effect.ALLOW

    def test_of_an_expression_without_end_is_refused_in_time(self, denylist: Path, tmp_path: Path) -> None:
        policy = policy_of(written(denylist, r"REGEX:(a|a)*b(?=never)", "REGEX:(x+x+)+y"))
        assert ran(policy, "echo " + "x" * 5_000, tmp_path).status is CallStatus.DENIED

    def test_that_is_too_long_to_be_compared_is_refused(self, denylist: Path, tmp_path: Path) -> None:
        policy = policy_of(written(denylist, "KEYWORD:never"))
        assert "shorten it" in ran(policy, "echo " + "x" * 200_001, tmp_path).text


@pytest.mark.parametrize(
    ("command", "further"),
    [
        ("touch mark", {}),
        ("TOUCH mark", {}),
        ("touch    mark", {}),
        ("t'o'uch mark", {}),
        (r"t\ouch mark", {}),
        ('"touch" "mark"', {}),
        ("/usr/bin/touch mark", {}),
        ("echo a; touch mark", {}),
        ("echo a && env touch mark", {}),
        ("sh -c 'touch mark'", {}),
        ("echo $(touch mark)", {}),
        ("\uff54ouch mark", {}),
        ("touch", {"arguments": ["mark"]}),
        ("sh", {"stdin": "touch mark"}),
    ],
)
def test_no_other_spelling_leads_past_a_keyword(
    denylist: Path, tmp_path: Path, command: str, further: dict[str, Any]
) -> None:
    policy = policy_of(written(denylist, "KEYWORD:touch mark"))
    assert ran(policy, command, tmp_path, shell=not further, **further).status is CallStatus.DENIED
    assert not (tmp_path / "mark").exists()


@tool
def execute(command: Annotated[str, Param("What to run")], args: list[str], note: str = "") -> str:
    """Run something elsewhere."""
    return command


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        ({"command": "touch", "args": ["mark"]}, CallStatus.DENIED),
        ({"command": "touch mark", "args": []}, CallStatus.DENIED),
        ({"command": "ls", "args": [], "note": "touch mark"}, CallStatus.EXECUTED),
    ],
)
def test_a_strangers_tool_is_judged_by_what_is_called_a_command(
    denylist: Path, tmp_path: Path, arguments: dict[str, Any], status: CallStatus
) -> None:
    policy = policy_of(written(denylist, "KEYWORD:touch mark"))
    assert called(policy, execute, "execute", arguments, tmp_path)[0].status is status


def test_a_tool_that_is_a_program_is_judged_by_its_command_line(denylist: Path, tmp_path: Path) -> None:
    policy = policy_of(written(denylist, "KEYWORD:touch"))
    made = process_tool("marks", ["/usr/bin/touch", "mark"], "Leave a mark.")
    assert called(policy, made, "marks", {"input": "x"}, tmp_path)[0].status is CallStatus.DENIED
