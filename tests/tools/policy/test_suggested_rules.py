from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import pytest

from tools import (
    Concern,
    Executor,
    PathRole,
    ReviewRequest,
    Tool,
    ToolCall,
    ToolRegistry,
    resolve_tools,
    security,
    tool,
)
from tools.calls import record_of
from tools.card import SourceKind, ToolSource
from tools.catalog import builtin_tools
from tools.policy import (
    Autonomy,
    Effect,
    PastCall,
    Permission,
    Policy,
    Predicate,
    Rule,
    RuleLocation,
    RuleScope,
    rule_words,
    would_have,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from tools.policy import RuleOffer

DELETES = Concern("deletes", "Deletes a file", "It is gone then")


@tool
def post(url: str, body: str = "") -> str:
    """Post something somewhere."""
    return url + body


@tool
def copy(
    sources: Annotated[list[Path], PathRole()], target: Annotated[Path | None, PathRole(writes=True)] = None
) -> str:
    """Copy files."""
    return f"{sources} {target}"


@tool
@security(mask_fields=("key",))
def unlock(key: str = "", door: str = "front") -> str:
    """Unlock a door."""
    return key + door


@tool
@security(sensitive=True)
def whisper(word: str = "") -> str:
    """Whisper."""
    return word


@tool(destructive=True)
def wipe(path: Annotated[Path, PathRole(writes=True)]) -> str:
    """Wipe a file."""
    return str(path)


Asked = tuple[ToolCall, ReviewRequest]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / "src").mkdir(parents=True)
    return folder


@pytest.fixture
def asked(project: Path) -> Callable[..., Asked]:
    tools = [*resolve_tools([post, copy, unlock, whisper, wipe]), *builtin_tools()]
    executor = Executor(ToolRegistry(tools), project_dir=project)

    def ask(name: str, arguments: dict[str, Any], *concerns: Concern, caller: str = "agent:mira") -> Asked:
        call = executor.create_call(name, arguments, caller=caller)
        assert call.response.error is None
        request = ReviewRequest(
            id="review-1",
            call=record_of(call),
            description="",
            arguments=call.display_arguments(),
            concerns=concerns,
            timeout_s=300,
            asked_at=datetime.now(UTC),
        )
        return call, request

    return ask


@pytest.fixture
def policy(project: Path) -> Policy:
    return Policy(project_dir=project, user_file=project.parent / "policy.toml")


def said(offers: tuple[RuleOffer, ...]) -> list[tuple[str, str]]:
    return [(offer.breadth.value, offer.words) for offer in offers]


class TestBreadths:
    def test_the_narrowest_stands_first(self, policy: Policy, asked: Callable[..., Asked]) -> None:
        offers = policy.offers(*asked("post", {"url": "https://api.example.org/a"}))
        assert said(offers) == [
            ("arguments", "this tool with these arguments"),
            ("pattern", "this tool at api.example.org"),
            ("tool", "this tool when it has an unknown risk"),
            ("source", "every tool of Program when it has an unknown risk"),
        ]
        exact = offers[0].rule
        assert rule_words(exact) == (
            "Allow post of Program called by agent:mira when the arguments are exactly"
            ' {"url":"https://api.example.org/a","body":""}; the tool\'s own reasons to ask stay;'
            " as long as the tool's definition stays the same"
        )
        assert [offer.rule.definition == "" for offer in offers] == [False, False, False, True]

    def test_paths_are_offered_as_their_folder_and_as_the_project(
        self, policy: Policy, asked: Callable[..., Asked], project: Path
    ) -> None:
        offers = policy.offers(*asked("wipe", {"path": "src/a.txt"}, DELETES))
        assert said(offers) == [
            ("arguments", "this tool with these arguments"),
            ("pattern", "this tool inside src of the project folder"),
            ("pattern", "this tool inside the project folder"),
        ]
        assert offers[0].rule.where == (Predicate(path="", equals={"path": str(project / "src" / "a.txt")}),)
        assert offers[1].rule.where == (Predicate(path="path", inside=str(project / "src")),)
        assert {offer.rule.answers for offer in offers} == {("deletes",)}

    def test_several_paths_share_a_folder_and_one_that_is_missing_stays_missing(
        self, policy: Policy, asked: Callable[..., Asked], project: Path
    ) -> None:
        pattern = policy.offers(*asked("copy", {"sources": ["src/a", "b"]}))[1]
        assert pattern.words == "this tool inside the project folder"
        assert pattern.rule.where == (
            Predicate(path="sources[]", inside=str(project)),
            Predicate(path="target", equals=None),
        )

    def test_no_folder_is_offered_that_holds_nearly_everything(
        self, policy: Policy, asked: Callable[..., Asked], project: Path
    ) -> None:
        for path in ("/a", "~/a", str(project.parent / "a")):
            assert [offer.breadth for offer in policy.offers(*asked("wipe", {"path": path}))] == [RuleScope.ARGUMENTS]

    def test_a_command_nobody_can_judge_is_remembered_for_itself_alone(
        self, policy: Policy, asked: Callable[..., Asked]
    ) -> None:
        command = Concern("command", "Runs a command"), Concern("confirmation", "Always asks")
        unknown = policy.offers(*asked("run_command", {"command": "frobnicate --all"}, *command))
        assert [offer.breadth for offer in unknown] == [RuleScope.ARGUMENTS]
        harmless = policy.offers(*asked("run_command", {"command": "ls src"}, *command))
        assert ("tool", "this tool when it only reads") in said(harmless)

    def test_more_rights_are_never_offered(self, policy: Policy, asked: Callable[..., Asked]) -> None:
        assert policy.offers(*asked("run_command", {"command": "sudo ls"})) == ()

    def test_no_is_remembered_likewise(self, policy: Policy, asked: Callable[..., Asked]) -> None:
        offers = policy.offers(*asked("wipe", {"path": "src/a"}, DELETES), Effect.DENY)
        assert {offer.rule.effect for offer in offers} == {Effect.DENY}
        assert [offer.breadth for offer in offers][-2:] == [RuleScope.TOOL, RuleScope.SOURCE]
        assert {offer.rule.definition for offer in offers} == {""}


class TestSecrets:
    def test_no_rule_repeats_what_nobody_is_shown(self, policy: Policy, asked: Callable[..., Asked]) -> None:
        assert [offer.breadth for offer in policy.offers(*asked("unlock", {"key": "k3y", "door": "back"}))] == [
            RuleScope.TOOL,
            RuleScope.SOURCE,
        ]
        with_password = policy.offers(*asked("http_request", {"url": "https://mira:w0rd@example.org/"}))
        assert all("w0rd" not in rule_words(offer.rule) for offer in with_password)
        assert RuleScope.ARGUMENTS not in {offer.breadth for offer in with_password}

    def test_of_a_sensitive_tool_no_argument_is_kept(self, policy: Policy, asked: Callable[..., Asked]) -> None:
        offers = policy.offers(*asked("whisper", {"word": "psst"}))
        assert [offer.breadth for offer in offers] == [RuleScope.TOOL, RuleScope.SOURCE]


class TestTruth:
    """An offer is made only when it would really answer the same question next time."""

    @pytest.mark.parametrize("place", [RuleLocation.SESSION, RuleLocation.USER])
    def test_each_offer_lets_the_same_call_run_and_taking_it_back_does_not(
        self, policy: Policy, asked: Callable[..., Asked], project: Path, place: RuleLocation
    ) -> None:
        call, request = asked("wipe", {"path": "src/a"}, DELETES)
        assert call.tool is not None
        for offer in policy.offers(call, request):
            undo = policy.add(offer.rule, place)
            verdict = policy.explain(call.tool, {"path": "src/a"}, "agent:mira", (DELETES,))
            assert (verdict.effect, verdict.why) == (Effect.ALLOW, rule_words(offer.rule))
            assert policy.explain(call.tool, {"path": "src/a"}, "agent:x", (DELETES,)).effect is Effect.ASK
            more = (DELETES, Concern("many_files", "A whole folder"))
            assert policy.explain(call.tool, {"path": "src/a"}, "agent:mira", more).effect is Effect.ASK
            undo()
            assert policy.explain(call.tool, {"path": "src/a"}, "agent:mira", (DELETES,)).effect is Effect.ASK

    def test_none_is_made_where_the_project_asks(
        self, policy: Policy, asked: Callable[..., Asked], project: Path
    ) -> None:
        policy.add(Rule(id="theirs", effect=Effect.ASK, tool="wipe"), RuleLocation.PROJECT)
        assert policy.offers(*asked("wipe", {"path": "src/a"})) == ()

    def test_only_narrower_ones_than_the_rule_that_asks(self, policy: Policy, asked: Callable[..., Asked]) -> None:
        policy.add(Rule(id="mine", effect=Effect.ASK, tool="post", source="Program", caller="agent:mira"))
        breadths = [offer.breadth for offer in policy.offers(*asked("post", {"url": "https://example.org"}))]
        assert breadths == [RuleScope.ARGUMENTS, RuleScope.PATTERN, RuleScope.TOOL]

    def test_none_while_a_file_cannot_be_read_or_somebody_else_must_answer(
        self, policy: Policy, asked: Callable[..., Asked], project: Path
    ) -> None:
        call, request = asked("wipe", {"path": "src/a"})
        assert policy.offers(call, request._replace(required_role="lead")) == ()
        assert policy.offers(call, request._replace(arguments=None)) == ()
        (project.parent / "policy.toml").write_text("?")
        policy.refresh()
        assert policy.offers(call, request) == ()

    def test_an_edit_that_does_not_fit_offers_nothing_and_one_that_fits_its_own(
        self, policy: Policy, asked: Callable[..., Asked], project: Path
    ) -> None:
        call, request = asked("wipe", {"path": "src/a"})
        assert policy.offers(call, request._replace(arguments={"path": 3})) == ()
        (exact, *_) = policy.offers(call, request._replace(arguments={"path": "src/b"}))
        assert exact.rule.where[0].equals == {"path": str(project / "src" / "b")}


class TestPast:
    def test_a_rule_is_tried_on_calls_of_the_past(self, project: Path) -> None:
        lookup = ToolRegistry(resolve_tools([wipe, post])).lookup
        kinds = frozenset({"deletes"})
        past = [
            PastCall("1", "wipe", {"path": "src/a"}, "agent:mira", project, kinds),
            PastCall("2", "wipe", {"path": str(project / "src" / "b")}, "agent:mira", project, kinds),
            PastCall("3", "wipe", {"path": "a"}, "agent:mira", project, kinds),
            PastCall("4", "wipe", {"path": "src/c"}, "you", project, kinds),
            PastCall("5", "wipe", {"path": "src/d"}, "agent:mira", project, kinds | {"outside_project"}),
            PastCall("6", "wipe", {"file": "src/e"}, "agent:mira", project, kinds),
            PastCall("7", "post", {"url": "x"}, "agent:mira", project),
        ]
        rule = Rule(
            id="r",
            effect=Effect.ALLOW,
            tool="wipe",
            caller="agent:*",
            where=(Predicate(path="path", inside=str(project / "src")),),
            answers=("deletes",),
            definition="of long ago",
        )
        assert would_have(rule, past, lookup) == (2, 7, ("1", "2"))
        refusing = rule.model_copy(update={"effect": Effect.DENY})
        assert would_have(refusing, past, lookup) == (3, 7, ("1", "2", "5"))
        assert would_have(rule, [], lookup) == (0, 0, ())


class TestPermissions:
    @pytest.mark.reference("E26", "E43")
    def test_tools_and_sources_have_one_of_three_permissions_or_none(self, policy: Policy, project: Path) -> None:
        (wiper,) = resolve_tools([wipe])
        source = ToolSource(SourceKind.PROGRAM, "Program")

        def effect(of: Tool = wiper) -> Effect:
            return policy.explain(of, {"path": "a"}, "agent:mira").effect

        assert policy.permission_of(wiper) is Permission.DEFAULT
        assert effect() is Effect.ASK
        policy.set_permission(source, Permission.ALWAYS)
        assert effect() is Effect.ALLOW
        undo = policy.set_permission(wiper, Permission.NEVER)
        assert (effect(), policy.permission_of(wiper)) == (Effect.DENY, Permission.NEVER)
        undo()
        assert effect() is Effect.ALLOW
        policy.set_permission(wiper, Permission.ASK)
        policy.set_permission(wiper, Permission.ALWAYS)
        assert [placed.place for placed in policy.rules] == [RuleLocation.USER, RuleLocation.USER]
        again = Policy(project_dir=project, user_file=project.parent / "policy.toml")
        assert (again.permission_of(wiper), again.permission_of(source)) == (Permission.ALWAYS, Permission.ALWAYS)
        back = policy.set_permission(wiper, Permission.DEFAULT)
        policy.set_permission(source, Permission.DEFAULT)
        policy.set_permission(source, Permission.DEFAULT)
        assert [placed.rule.id for placed in policy.rules] == []
        back()
        assert policy.permission_of(wiper) is Permission.ALWAYS

    def test_a_rule_that_says_more_is_no_permission(self, policy: Policy) -> None:
        (wiper,) = resolve_tools([wipe])
        policy.add(Rule(id="a", effect=Effect.DENY, tool="wipe", source="Program", caller="agent:x"))
        policy.add(Rule(id="b", effect=Effect.DENY, tool="wipe", source="Program"), RuleLocation.SESSION)
        assert policy.permission_of(wiper) is Permission.DEFAULT
        assert policy.autonomy is Autonomy.SUPERVISED
