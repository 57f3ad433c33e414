"""What decides what may run is changed by no tool unless a person says yes to exactly that."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import threading
import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import pytest

from tests.attacks.one_start import Ended, run_all
from tests.tools.running import Answers, Silence, run
from tools import (
    AutoApproveHandler,
    CallStatus,
    Continue,
    Edit,
    Executor,
    ExitEarly,
    PathRole,
    ToolRegistry,
    make_tool,
    resolve_tools,
    security,
    tool,
)
from tools.batch import Approve, BatchExecutor, BatchPlan, Step
from tools.card import SourceKind, ToolSource
from tools.catalog import builtin_tools
from tools.policy import Autonomy, Effect, Policy, Rule, RuleLocation
from tools.policy.protection import protected_concerns
from tools.protected import PROTECTED, ProtectedPlace
from tools.spec import Concern, Param
from tools.workbench import protected_places

if TYPE_CHECKING:
    from pydantic import JsonValue

    from tools import Tool

pytestmark = pytest.mark.expects_log("tools.calls", "tools.batch", "tools.execution")

NO = ExitEarly("no")


class World(NamedTuple):
    """A project, a home and a data folder, with something in every protected place.

    Attributes:
        project: The project folder.
        home: The person's home folder.
        data: Where the program keeps what it goes by.
        places: What is protected besides the project's own.
    """

    project: Path
    home: Path
    data: Path
    places: tuple[ProtectedPlace, ...]


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    project, home, data = tmp_path / "home" / "code" / "project", tmp_path / "home", tmp_path / "data"
    for folder in (project / ".tool-console", project / ".git" / "hooks", project / "src", data, home / ".config"):
        folder.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / ".config"))
    monkeypatch.setenv("TOOL_CONSOLE_DATA", str(data))
    places = protected_places()
    for place in (*places, *(ProtectedPlace(places[0].kind, project / name, "") for name in IN_PROJECT)):
        if place.path.name in {"apis", "plugins", "audit", "history", "batches"}:
            place.path.mkdir(parents=True, exist_ok=True)
            (place.path / "inside").write_text("kept", "utf-8")
        elif not place.path.is_dir():
            place.path.parent.mkdir(parents=True, exist_ok=True)
            place.path.write_text(NOTHING.get(place.path.suffix, ""), "utf-8")
    return World(project, home, data, places)


NOTHING = {".json": "{}", ".toml": "# Nothing.\n"}
"""What a file holds that says nothing; one that was emptied is reported."""

IN_PROJECT = (
    *(".tool-console/policy.toml", ".tool-console/servers.json", ".tool-console/requests/one.json", ".git/config"),
    *(".git/hooks/pre-commit", ".git/info/attributes", ".envrc", ".bashrc", ".profile", ".zshrc", ".husky/pre-push"),
    ".tool-console/apis.json",
    *(".config/fish/config.fish", ".githooks/post-merge", ".pre-commit-config.yaml", ".gitconfig"),
)
"""Protected files of a project, below its folder."""

IN_HOME = (".bashrc", ".profile", ".zshrc", ".config/fish/config.fish", ".gitconfig", ".ssh/authorized_keys")


def everything_allowed() -> Policy:
    """Return a policy of somebody who agreed to everything beforehand, in every way there is."""
    policy = Policy(autonomy=Autonomy.FULL_AUTO)
    policy.add(Rule(id="all", effect=Effect.ALLOW), RuleLocation.SESSION)
    policy.add(Rule(id="files", effect=Effect.ALLOW, tool="*_file", answers=("*",)), RuleLocation.SESSION)
    policy.add(Rule(id="protected", effect=Effect.ALLOW, tool="*", answers=(PROTECTED,)), RuleLocation.SESSION)
    return policy


@pytest.fixture
def executor(world: World) -> Iterator[Executor]:
    made = executor_over(world, Answers(*[NO] * 1000))
    yield made
    made.close()


def executor_over(world: World, reviewer: Any, *further: object, policy: Policy | None = None) -> Executor:
    registry = ToolRegistry(builtin_tools())
    registry.register_all(resolve_tools(further))
    return Executor(
        registry,
        review_handler=reviewer,
        policy=policy or everything_allowed(),
        project_dir=world.project,
        protected=world.places,
    )


def protected_in(executor: Executor, of: str | Tool, arguments: dict[str, Any], caller: str = "agent:x") -> list[str]:
    found = executor.registry.get(of) if isinstance(of, str) else of
    seen = run(executor.proposals.foresee(found, arguments, caller=caller))
    return [reason.title for reason in seen.reasons if reason.kind == PROTECTED]


TRIED = [
    (item.name, name, next(example.input for example in item.spec.examples if not example.negative))
    for item in builtin_tools()
    for name, role in item.path_roles
    if role.writes
]
"""Each argument of the catalogue that says where a tool writes, with a call that is as it should be otherwise."""


OF_EACH_KIND = {
    *("write_file", "append_file", "copy_file", "move_file", "delete_file", "make_folder", "download_file"),
    *("change_database", "extract_archive", "git_apply_patch"),
}


def writing(target: str, *, by_all: bool = True) -> Iterator[tuple[str, dict[str, Any]]]:
    for tool_name, argument, example in TRIED:
        if by_all or tool_name in OF_EACH_KIND:
            yield tool_name, {**example, argument: target}


def test_a_tool_without_a_place_to_write_to_runs_commands_at_most() -> None:
    assert {"write_file", "git_restore", "extract_archive", "change_database"} <= {name for name, _, _ in TRIED}
    assert {item.name for item in builtin_tools() if item.shell_commands} == {"run_command"}


class TestEveryPlace:
    def test_asks_whichever_tool_writes_there(self, world: World, executor: Executor) -> None:
        targets = [str(world.project / name) for name in IN_PROJECT] + [str(world.home / name) for name in IN_HOME]
        targets += [str(place.path) for place in world.places]
        targets += [str(place.path / "inside") for place in world.places if place.path.is_dir()]
        missed = [
            (name, target)
            for target in targets
            for name, arguments in writing(target)
            if not protected_in(executor, name, arguments)
        ]
        assert missed == []

    def test_is_named_as_what_it_is(self, world: World, executor: Executor) -> None:
        def called(path: str | Path) -> list[str]:
            return protected_in(executor, "delete_file", {"path": str(path)})

        assert called(".tool-console/policy.toml") == ["Changes the project's policy"]
        assert called(".tool-console/servers.json") == ["Changes the project's servers"]
        assert called(".git/hooks/pre-commit") == ["Changes the project's git hooks"]
        assert called(".git/config") == ["Changes the project's git settings"]
        assert called(world.home / ".bashrc") == ["Changes your shell start file .bashrc"]
        assert called(world.data / "audit" / "inside") == ["Changes the audit log"]
        assert called(world.data / "server-consents.json") == ["Changes your consents to servers"]
        found = executor.registry.get("delete_file")
        seen = run(executor.proposals.foresee(found, {"path": ".tool-console/policy.toml"}, caller="agent:x"))
        assert [reason.detail for reason in seen.reasons] == [
            f"{world.project}/.tool-console/policy.toml is the project's policy, which decides what may run"
        ]

    def test_is_read_without_such_a_question(self, executor: Executor) -> None:
        assert protected_in(executor, "read_file", {"path": ".tool-console/policy.toml"}) == []
        assert protected_in(executor, "run_command", {"command": "cat .tool-console/policy.toml"}) == []
        assert protected_in(executor, "copy_file", {"source": ".git/config", "target": "src/copy"}) == []

    @pytest.mark.parametrize(
        "path", ["src/a.txt", "policy.toml", "src/.tool-console.md", "src/git/hooks", "bashrc", "src/.gitignore"]
    )
    def test_is_not_seen_in_other_places(self, executor: Executor, path: str) -> None:
        # A worktree is also written down in its repository, wherever it is made.
        calls = [(name, arguments) for name, arguments in writing(path) if name != "git_worktree"]
        assert [name for name, arguments in calls if protected_in(executor, name, arguments)] == []

    def test_is_protected_in_a_folder_below_the_project_as_well(self, executor: Executor) -> None:
        for path in ("src/.git/hooks/post-checkout", "src/.envrc", "src/.tool-console/policy.toml"):
            assert protected_in(executor, "write_file", {"path": path, "text": ""})

    def test_of_the_person_is_theirs_when_the_home_folder_is_the_project(self, world: World) -> None:
        at_home = executor_over(world._replace(project=world.home), Answers())
        titles = protected_in(at_home, "write_file", {"path": ".bashrc", "text": ""})
        policy = protected_in(at_home, "write_file", {"path": ".config/tool-console/policy.toml", "text": ""})
        at_home.close()
        assert titles == ["Changes your shell start file .bashrc"]
        assert policy == ["Changes your policy"]

    def test_is_where_git_keeps_it(self, world: World, executor: Executor) -> None:
        elsewhere = world.home / "gits" / "one"
        (elsewhere / "worktrees" / "w").mkdir(parents=True)
        (elsewhere / "worktrees" / "w" / "commondir").write_text("../..\n", "utf-8")
        (elsewhere / "config").write_text('[core]\n\thooksPath = "tasks/hooks"\n', "utf-8")
        subprocess.run(["rm", "-r", str(world.project / ".git")], check=True)
        (world.project / ".git").write_text(f"gitdir: {elsewhere}/worktrees/w\n", "utf-8")
        for path in (elsewhere / "config", elsewhere / "hooks" / "update", "tasks/hooks/pre-commit", ".git"):
            assert protected_in(executor, "write_file", {"path": str(path), "text": ""}), path

    def test_is_where_git_keeps_it_when_its_hooks_are_somebody_s_who_does_not_exist(
        self, world: World, executor: Executor
    ) -> None:
        (world.project / ".git" / "config").write_text("[core]\n\thooksPath = ~nobody-has-this-name/hooks\n", "utf-8")
        assert protected_in(executor, "write_file", {"path": ".git/hooks/pre-commit", "text": ""})


def spelled(world: World, path: str) -> Iterator[str]:
    """Yield spellings of a path below the project that programs take for the same."""
    project = world.project
    yield path
    yield f"./{path}"
    yield f"src/../{path}"
    yield f"src/./.././{path}"
    yield path.replace("/", "//")
    yield f"{path}/"
    yield f"{path}/."
    yield path.upper()
    yield path.title()
    yield str(project / path)
    yield f"//{project / path}"
    yield f"{project}/src/../../{project.name}/{path}"
    yield f"~/code/project/{path}"
    yield f"/proc/self/root{project / path}"
    yield unicodedata.normalize("NFD", path)
    yield f"{path}."
    yield f"{path}::$DATA"
    yield path.replace("t", "t\u200c", 1)


class TestEverySpelling:
    @pytest.mark.parametrize("name", [".tool-console/policy.toml", ".git/hooks/pre-commit", ".envrc"])
    def test_asks(self, world: World, executor: Executor, name: str) -> None:
        missed = [
            (spelling, tool_name)
            for spelling in spelled(world, name)
            for tool_name, arguments in writing(spelling, by_all=False)
            if not protected_in(executor, tool_name, arguments)
        ]
        assert missed == []

    def test_of_links_asks(self, world: World, executor: Executor) -> None:
        project = world.project
        (project / "innocent").symlink_to(project / ".tool-console")
        (project / "src" / "deep").symlink_to(project / "innocent")
        (project / "file").symlink_to(".tool-console/policy.toml")
        (project / "up").symlink_to("..")
        os.link(project / ".tool-console" / "policy.toml", project / "src" / "hard")
        os.link(project / ".git" / "hooks" / "pre-commit", project / "src" / "hook")
        os.link(world.data / "audit" / "inside", project / "src" / "log")
        paths = ["innocent/policy.toml", "src/deep/policy.toml", "innocent/new.toml", "file", "src/hard", "src/hook"]
        for path in (*paths, "src/log", "up/project/.git/config"):
            for name, arguments in writing(path, by_all=False):
                assert protected_in(executor, name, arguments), (path, name)

    def test_of_a_project_that_is_reached_by_a_link_asks(self, world: World) -> None:
        link = world.home / "linked"
        link.symlink_to(world.project)
        linked = executor_over(world._replace(project=link), Answers())
        for path in (link, world.project):
            assert protected_in(linked, "delete_file", {"path": f"{path}/.tool-console/policy.toml"})
        linked.close()

    def test_of_a_start_file_that_is_a_link_itself_asks(self, world: World, executor: Executor) -> None:
        kept = world.home / "dotfiles" / "bashrc"
        kept.parent.mkdir()
        kept.write_text("", "utf-8")
        (world.home / ".bashrc").unlink(missing_ok=True)
        (world.home / ".bashrc").symlink_to(kept)
        assert protected_in(executor, "write_file", {"path": str(kept), "text": ""})
        assert protected_in(executor, "delete_file", {"path": str(world.home / ".bashrc")})

    @pytest.mark.parametrize("path", [".tool-console", ".git", ".git/hooks", ".", "..", "~", "/", "../project"])
    def test_of_folders_that_hold_it_asks(self, executor: Executor, path: str) -> None:
        assert protected_in(executor, "delete_file", {"path": path, "recursive": True})
        assert protected_in(executor, "move_file", {"source": path, "target": "/tmp/away"})
        assert protected_in(executor, "copy_file", {"source": "src", "target": path})


class TestNothingAnswersForThePerson:
    ARGUMENTS: Mapping[str, JsonValue] = {"path": ".tool-console/policy.toml", "text": "", "overwrite": True}

    def try_it(self, world: World, reviewer: Any, policy: Policy | None = None) -> tuple[CallStatus, bool]:
        target = world.project / ".tool-console" / "policy.toml"
        target.write_text("before", "utf-8")
        executor = executor_over(world, reviewer, policy=policy)
        response = executor.run("write_file", self.ARGUMENTS)
        executor.close()
        return response.status, target.read_text("utf-8") == "before"

    def test_neither_rules_nor_levels(self, world: World) -> None:
        reviewer = Answers(NO)
        assert self.try_it(world, reviewer) == (CallStatus.DENIED, True)
        assert PROTECTED in reviewer.kinds[0]

    @pytest.mark.parametrize("level", list(Autonomy))
    def test_no_level_alone(self, world: World, level: Autonomy) -> None:
        reviewer = Answers(NO)
        assert self.try_it(world, reviewer, Policy(autonomy=level)) == (CallStatus.DENIED, True)
        assert PROTECTED in reviewer.kinds[0]

    def test_not_what_the_issue_tried(self, world: World) -> None:
        policy = Policy(autonomy=Autonomy.SUPERVISED)
        inside = Rule.model_validate(
            {"id": "in", "effect": "allow", "tool": "write_file", "where": [{"path": "path", "inside": "."}]}
        )
        policy.add(inside, RuleLocation.SESSION)
        reviewer = Answers(NO)
        assert self.try_it(world, reviewer, policy) == (CallStatus.DENIED, True)
        assert reviewer.kinds == [[PROTECTED]]

    def test_no_policy_at_all_and_a_handler_that_says_yes_to_everything(self, world: World) -> None:
        assert self.try_it(world, AutoApproveHandler()) == (CallStatus.DENIED, True)

    def test_a_person_who_said_yes_to_the_one_call_beforehand_does(self, world: World) -> None:
        assert self.try_it(world, AutoApproveHandler(by_person=True)) == (CallStatus.EXECUTED, False)

    def test_the_person_is_asked_every_time(self, world: World) -> None:
        reviewer = Answers()
        executor = executor_over(world, reviewer)
        for _ in range(3):
            assert executor.run("write_file", self.ARGUMENTS).succeeded
        executor.close()
        assert [PROTECTED in kinds for kinds in reviewer.kinds] == [True, True, True]

    async def test_identical_calls_at_the_same_time_are_each_asked_about(self, world: World) -> None:
        reviewer = Answers()
        executor = executor_over(world, reviewer)
        calls = [executor.create_call("write_file", self.ARGUMENTS, caller="agent:x") for _ in range(3)]
        await asyncio.gather(*map(executor.execute, calls))
        await executor.aclose()
        assert len(reviewer.requests) == 3
        assert {request.attached_to for request in reviewer.requests} == {""}

    def test_an_edit_that_leads_there_is_asked_about_again(self, world: World) -> None:
        target = world.project / ".tool-console" / "policy.toml"
        target.write_text("before", "utf-8")
        policy = Policy()
        policy.add(Rule(id="ask", effect=Effect.ASK, tool="write_file"), RuleLocation.SESSION)
        reviewer = Answers(Edit(self.ARGUMENTS), NO)
        executor = executor_over(world, reviewer, policy=policy)
        response = executor.run("write_file", {"path": "src/a", "text": ""})
        executor.close()
        assert (response.status, target.read_text("utf-8")) == (CallStatus.DENIED, "before")
        assert [PROTECTED in kinds for kinds in reviewer.kinds] == [False, True]

    def test_nothing_remembers_the_answer(self, world: World) -> None:
        policy = Policy()
        offered: list[tuple[tuple[Any, ...], tuple[Any, ...]]] = []

        def answer(request: Any) -> ExitEarly:
            call = asking.questions.call_of(request.id)
            assert call is not None
            offered.append((policy.offers(call, request, Effect.ALLOW), policy.offers(call, request, Effect.DENY)))
            return NO

        asking = executor_over(world, answer, policy=policy)
        asking.run("write_file", self.ARGUMENTS)
        asking.close()
        assert [(len(allowing), bool(denying)) for allowing, denying in offered] == [(0, True)]

    async def test_somebody_who_agreed_ahead_is_asked_when_it_starts(self, world: World) -> None:
        reviewer = Answers(NO)
        executor = executor_over(world, reviewer)
        call = executor.create_call("write_file", self.ARGUMENTS, caller="agent:x")
        concerns = await executor.proposals.concerns(call)
        executor.proposals.approve(call, concerns, by="mira")
        assert (await executor.execute(call)).status is CallStatus.DENIED
        await executor.aclose()
        assert PROTECTED in reviewer.kinds[0]

    def test_a_plan_that_was_agreed_to_as_a_whole_does_not(self, world: World) -> None:
        step = Step(id="one", tool="write_file", arguments=self.ARGUMENTS)
        for decision in (Continue(), Continue(whatever=("one",))):
            reviewer = Answers(decision, NO)
            executor = executor_over(world, reviewer)
            run(BatchExecutor(executor=executor).run(BatchPlan(approve=Approve.PLAN, steps=(step,))))
            executor.close()
            assert [bool(request.plan) for request in reviewer.requests] == [True, False]
            assert PROTECTED in reviewer.kinds[1]
            assert (world.project / ".tool-console" / "policy.toml").read_text("utf-8") == NOTHING[".toml"]

    def test_silence_does_not_even_where_it_means_yes(self, world: World) -> None:
        @tool
        @security(approval_required=True, review_timeout_s=0.05, on_review_timeout="continue")
        def save(path: Annotated[Path, PathRole(writes=True)]) -> str:
            """Save."""
            return f"saved {path}"

        executor = executor_over(world, Silence(), save, policy=Policy(autonomy=Autonomy.FULL_AUTO))
        assert executor.run("save", {"path": "src/a"}).succeeded
        assert executor.run("save", {"path": ".envrc"}).status is CallStatus.DENIED
        executor.close()


COMMANDS = (
    "rm .tool-console/policy.toml",
    "rm -rf .tool-console",
    "rm -rf ./.tool-console/",
    "rm -rf .",
    "rm -rf ../project",
    "mv .git gone",
    "mv .tool-console/policy.toml src/",
    "cp src/x .tool-console/policy.toml",
    "cp -r evil/. .",
    "cp -t .git/hooks src/x",
    "ln -sf src/x .git/hooks/pre-commit",
    "install -m 755 src/x .git/hooks/pre-commit",
    "tee .tool-console/policy.toml",
    "dd if=/dev/null of=.tool-console/policy.toml",
    "truncate -s 0 .tool-console/policy.toml",
    "sed -i s/deny/allow/ .tool-console/policy.toml",
    "touch .envrc",
    "chmod +x .git/hooks/pre-commit",
    "tar xf evil.tar",
    "tar -C .git -xf evil.tar",
    "unzip -o evil.zip",
    "patch -p1 -i evil.diff",
    "git config core.hooksPath evil -f .git/config",
    "git -C .git config x y",
    "find .tool-console -name policy.toml -delete",
    "find . -name policy.toml -delete",
    "rsync -a evil/ .",
    "curl -o .tool-console/policy.toml http://127.0.0.1:9/",
    "curl -o.envrc http://127.0.0.1:9/",
    "wget --output-document=.envrc http://127.0.0.1:9/",
    "python -c \"open('.tool-console/policy.toml', 'w')\"",
    "perl -e 'unlink q(.envrc)'",
    "env -C .tool-console rm policy.toml",
    "xargs rm .envrc",
    "rm ~/.bashrc",
    "rm .TOOL-CONSOLE/POLICY.TOML",
    "rm src/../.tool-console/policy.toml",
    "rm linked/policy.toml",
    "rm hard",
)

SHELL_COMMANDS = (
    "echo x > .tool-console/policy.toml",
    "echo x >> .bashrc",
    ": >| .tool-console/policy.toml",
    "cat src/x 1<> .envrc",
    "cd .tool-console && rm policy.toml",
    "cd .tool-console; echo > policy.toml",
    "(cd .git/hooks && touch pre-commit)",
    "cd; echo x >> .bashrc",
    "cd && rm -rf code/project/.git",
    "pushd .git && rm config",
    "rm .tool*/policy.toml",
    "rm -rf .tool-consol?",
    "rm .tool-console/*",
    "rm -rf .*",
    "rm .[t]ool-console/policy.toml",
    "rm .tool-{console,x}/policy.toml",
    'rm "$HOME/.bashrc"',
    "rm ${HOME}/.profile",
    "rm $PWD/.envrc",
    "d=.tool-console; rm $d/policy.toml",
    'a=.tool; b=-console; rm "$a$b/policy.toml"',
    "rm $(echo .tool-console/policy.toml)",
    "rm `printf .envrc`",
    "for f in .tool-console/*; do rm $f; done",
    "for f in .envrc; do mv $f src; done",
    "rm $'.\\x65nvrc'",
    "sh -c 'rm .tool-console/policy.toml'",
    'bash -c "echo > .envrc"',
    "eval rm .envrc",
    "cat <<EOF > .envrc\nx\nEOF",
    "sh <<EOF\nrm .envrc\nEOF",
    "true && { rm .envrc; }",
    "echo .envrc | xargs rm",
    "'rm' '.env'rc",
    "rm .env\\rc",
    "f() { rm .envrc; }; f",
    "tar cf - evil | tar xf -",
)


class TestCommandLines:
    @pytest.fixture
    def ready(self, world: World) -> World:
        (world.project / "linked").symlink_to(".tool-console")
        os.link(world.project / ".tool-console" / "policy.toml", world.project / "hard")
        return world

    @pytest.mark.parametrize("command", COMMANDS)
    def test_that_name_it_ask(self, ready: World, executor: Executor, command: str) -> None:
        assert protected_in(executor, "run_command", {"command": command})
        assert protected_in(executor, "run_command", {"command": command, "shell": True})

    @pytest.mark.parametrize("command", SHELL_COMMANDS)
    def test_of_a_shell_ask(self, ready: World, executor: Executor, command: str) -> None:
        assert protected_in(executor, "run_command", {"command": command, "shell": True})

    @pytest.mark.parametrize(
        "arguments",
        [
            {"command": "rm", "arguments": [".tool-console/policy.toml"]},
            {"command": "rm policy.toml", "folder": ".tool-console"},
            {"command": "tar xf ../evil.tar", "folder": ".git"},
            {"command": "rm ../.envrc", "folder": "src"},
            {"command": "sh", "stdin": "rm .envrc"},
            {"command": "patch -p1", "stdin": "--- a/.envrc\n+++ b/.envrc\n"},
            {"command": "make install", "env": {"DESTDIR": ".git/hooks"}},
            {"command": "xargs rm", "stdin": ".tool-console/policy.toml"},
        ],
        ids=lambda arguments: str(arguments["command"]),
    )
    def test_that_name_it_beside_the_line_ask(
        self, ready: World, executor: Executor, arguments: dict[str, Any]
    ) -> None:
        assert protected_in(executor, "run_command", arguments)

    @pytest.mark.parametrize(
        "command",
        [
            *(
                "pytest -q tests",
                "pytest .",
                "ruff check .",
                "make -j2",
                "git add src/a.txt",
                "rm -rf build",
                "ls -la .",
            ),
            *("cat .tool-console/policy.toml", "git log -3", "mkdir -p build/x", "touch src/a", "python build.py"),
            *("rm build/*.pyc", "echo hello > out.txt", 'for f in src/*.py; do touch "$f"; done', "cp src/a src/b"),
            *("cd src && rm -rf build", "grep -rn x . > found.txt", 'touch "$HOME/x"'),
        ],
    )
    def test_that_change_other_things_do_not(self, ready: World, executor: Executor, command: str) -> None:
        (ready.project / "src" / "a.py").write_text("", "utf-8")
        assert protected_in(executor, "run_command", {"command": command, "shell": True}) == []


def of_a_server(**hints: Any) -> Tool:
    """Return a tool as a server would offer it, with a path somewhere in its arguments."""

    @tool(name="stranger", **hints)
    def stranger(what: dict[str, Any], path: str = "", note: str = "", command: str = "") -> str:
        """Do something."""
        return f"{what}{path}{note}{command}"

    (made,) = resolve_tools([stranger])
    return made.with_source(ToolSource(SourceKind.SERVER, "files"))


class TestToolsOfServers:
    @pytest.mark.parametrize(
        "arguments",
        [
            {"what": {}, "path": ".tool-console/policy.toml"},
            {"what": {}, "path": "file:///{project}/.git/config"},
            {"what": {}, "path": "file:{project}/%2egit/config"},
            {"what": {}, "path": "%2Etool-console/policy.toml"},
            {"what": {}, "path": ".tool-console\\policy.toml"},
            {"what": {}, "path": " .envrc "},
            {"what": {}, "path": "~/.bashrc"},
            {"what": {}, "path": "$HOME/.bashrc"},
            {"what": {}, "path": "."},
            {"what": {}, "path": "{project}"},
            {"what": {"edits": [{"file": {"name": ".git/hooks/pre-push"}}]}},
            {"what": {".envrc": "export X=1"}},
            {"what": {}, "note": ".envrc"},
            {"what": {}, "command": "rm -f '.tool-console/policy.toml'"},
            {"what": {"args": ["rm", ".envrc"]}},
            {"what": {"files": [*map(str, range(5_000)), ".envrc"]}},
        ],
        ids=lambda arguments: json.dumps(arguments)[:60],
    )
    def test_ask_when_they_are_given_it(self, world: World, executor: Executor, arguments: dict[str, Any]) -> None:
        given = json.loads(json.dumps(arguments).replace("{project}", str(world.project)))
        assert protected_in(executor, of_a_server(), given)
        # A stranger's word that it only reads is not known to be true.
        if given.get("path") not in {".", str(world.project)}:
            assert protected_in(executor, of_a_server(read_only=True), given)

    def test_ask_when_an_argument_that_the_schema_lacks_is_named_like_it(self, executor: Executor) -> None:
        def write(**contents: str) -> int:
            return len(contents)

        made = make_tool("write", "Write.", write, {"type": "object", "properties": {"note": {"type": "string"}}})
        made = made.with_source(ToolSource(SourceKind.SERVER, "files"))
        assert protected_in(executor, made, {".envrc": "export X=1"})
        assert not protected_in(executor, made, {"note": "export X=1"})

    @pytest.mark.parametrize(
        "arguments",
        [
            {"what": {}, "note": "please look at .bashrc\nand .git/config"},
            {"what": {}, "note": "/"},
            {"what": {}, "note": "."},
            {"what": {}, "path": "src/a.txt"},
            {"what": {}, "path": "https://example.org/.git/config"},
            {"what": {"text": "a policy", "list": ["x", "y", "z"]}},
        ],
        ids=lambda arguments: json.dumps(arguments)[:60],
    )
    def test_do_not_ask_about_other_texts(self, executor: Executor, arguments: dict[str, Any]) -> None:
        assert protected_in(executor, of_a_server(), arguments) == []

    def test_that_are_trusted_and_only_read_do_not_ask(self, executor: Executor) -> None:
        source = ToolSource(SourceKind.SERVER, "files", is_trusted=True)
        trusted = of_a_server(read_only=True).with_source(source)
        assert protected_in(executor, trusted, {"what": {}, "path": ".tool-console/policy.toml"}) == []


class TestPluginTools:
    def test_with_marked_and_unmarked_paths_ask(self, world: World) -> None:
        ran: list[str] = []

        @tool
        def save(path: str, text: str = "") -> str:
            """Save a text; the author marked nothing."""
            ran.append(path)
            return text

        @tool
        def unpack(
            archive: Annotated[Path, PathRole(), Param("The archive")],
            target: Annotated[list[Path], PathRole(writes=True), Param("Where to")],
        ) -> str:
            """Unpack an archive."""
            ran.append(f"{archive} {target}")
            return ""

        @tool(read_only=True)
        def look(path: str) -> str:
            """Look at a file."""
            ran.append(path)
            return ""

        reviewer = Answers(*[NO] * 10)
        for policy in (everything_allowed(), None):
            executor = executor_over(world, reviewer, save, unpack, look, policy=policy)
            assert executor.run("save", {"path": ".envrc"}).status is CallStatus.DENIED
            assert executor.run("save", {"path": ".tool-console"}).status is CallStatus.DENIED
            unpacked = executor.run("unpack", {"archive": "src/a.zip", "target": ["src", "."]})
            assert unpacked.status is CallStatus.DENIED
            assert executor.run("look", {"path": ".envrc"}).succeeded
            executor.close()
        assert set(ran) == {".envrc"}


def program(world: World, *commands: tuple[str, ...]) -> list[Ended]:
    """Run commands of the program one after the other in one process; return how each ended."""
    places = {
        "HOME": str(world.home),
        "TOOL_CONSOLE_DATA": str(world.data),
        "TOOL_CONSOLE_CONFIG": str(world.home / ".config" / "tool-console"),
        "COLUMNS": "200",
    }
    return run_all(world.project, [(words, b"") for words in commands], **places)


class TestTheProgram:
    RULES = '[[rule]]\nid = "no"\neffect = "deny"\ntool = "delete_file"\n'
    WRITE = ("call", "write_file", "path=.tool-console/policy.toml", "text=", "overwrite:=true", "--no-history")

    def test_asks_in_the_issues_own_example(self, world: World) -> None:
        rules = world.project / ".tool-console" / "policy.toml"
        rules.write_text(self.RULES, "utf-8")
        allowed, elsewhere, *tried = program(
            world,
            ("policy", "allow", "write_file", "--where", "path inside ."),
            ("call", "write_file", "path=src/a.txt", "text=x", "--no-history"),
            self.WRITE,
            (*self.WRITE, "--autonomy", "full_auto"),
        )
        assert (allowed.code, elsewhere.code) == (0, 0), allowed.stderr
        assert rules.read_text("utf-8") == self.RULES
        for one in tried:
            assert one.code == 3, one.stderr
            assert "is the project's policy, which decides what may run" in one.stderr

    def test_takes_yes_for_one_call_and_not_for_a_plan(self, world: World) -> None:
        rules = world.project / ".tool-console" / "policy.toml"
        rules.write_text(self.RULES, "utf-8")
        plan = world.project / "plan.yaml"
        arguments = {"path": ".tool-console/policy.toml", "text": "", "overwrite": True}
        plan.write_text(json.dumps({"steps": [{"id": "one", "tool": "write_file", "arguments": arguments}]}), "utf-8")
        kept = ("call", "read_file", "path=.tool-console/policy.toml", "--no-history")
        planned, shown, yes = program(
            world, ("batch", "run", str(plan), "--yes", "--no-history"), kept, (*self.WRITE, "--yes")
        )
        assert planned.code != 0
        assert json.loads(shown.stdout)["text"] == self.RULES
        assert "only a person can allow that" in planned.stdout + planned.stderr
        assert yes.code == 0
        assert rules.read_text("utf-8") == ""

    def test_says_beforehand_that_it_would_ask(self, world: World) -> None:
        _, said = program(world, ("policy", "allow", "write_file"), ("policy", "explain", *self.WRITE[1:-1]))
        assert said.stdout.splitlines()[0] == "write_file, called by you, is asked about"
        assert "the project's policy, which decides what may run" in said.stdout


def test_the_home_that_counts_is_the_one_at_the_time_of_the_call(
    world: World, executor: Executor, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = {"path": str(world.home / "other" / ".bashrc"), "text": "", "create_folders": True}
    assert protected_in(executor, "write_file", arguments) == []

    monkeypatch.setenv("HOME", str(world.home / "other"))

    assert len(protected_in(executor, "write_file", arguments)) == 1


@pytest.mark.parametrize(
    ("texts", "leaves_the_loop"),
    [
        (["short"], False),
        (["x" * 1_001], True),
        (["/ " * 10_000], True),
        (["x" * 90] * 12, True),
        (["x"] * 200, True),
    ],
    ids=["short", "over-a-thousand-letters", "one-text-of-many-paths", "letters-of-several-texts", "many-texts"],
)
def test_long_texts_are_searched_away_from_the_loop(
    executor: Executor, monkeypatch: pytest.MonkeyPatch, texts: list[str], leaves_the_loop: bool
) -> None:
    @tool
    def keep(texts: list[str]) -> int:
        """Keep texts."""
        return len(texts)

    threads: list[str] = []

    def searched(**given: Any) -> list[Concern]:
        threads.append(threading.current_thread().name)
        return protected_concerns(**given)

    monkeypatch.setattr("tools.execution.security.protected_concerns", searched)
    executor.registry.register_all(resolve_tools([keep]))
    response = run(executor.execute(executor.create_call("keep", {"texts": texts})))

    assert response.status in {CallStatus.EXECUTED, CallStatus.DENIED}
    assert threads
    assert all(name.startswith("tool-") is leaves_the_loop for name in threads)
