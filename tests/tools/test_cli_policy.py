from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.tools.command_line import Command, command_of
from tests.tools.test_cli import bench_of

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


@pytest.fixture
def cli(tmp_path: Path, project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    monkeypatch.setenv("TOOL_CONSOLE_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("TOOL_CONSOLE_CONFIG", str(tmp_path / "config"))
    monkeypatch.chdir(project)
    return command_of(bench_of(tmp_path), capsys, monkeypatch)


def test_rules_are_made_listed_explained_and_removed(cli: Command, tmp_path: Path) -> None:
    made = cli(
        *("policy", "allow", "drop", "--where", "path inside /tmp/x", "--uses", "3", "--id", "drops"),
        *("--answers", "destructive", "--caller", "agent:*"),
    )
    words = (
        'Allow drop called by agent:* when path lies in "/tmp/x";'
        " the tool's own reasons to ask are settled (destructive); 3 times at most"
    )
    assert made == (0, f"drops\n  {words}\n", "")
    assert cli("policy", "deny", "--risk", "unknown", "--reason", "Say what you do", "--id", "vague")[0] == 0
    out = cli.printed("policy", "list")
    assert out.splitlines() == [
        "Supervised: asks before calls that may destroy something or have an unknown risk",
        "",
        "Your rules",
        "  drops",
        f"    {words}",
        "  vague",
        "    Deny all tools when the call has an unknown risk",
        "    Say what you do",
    ]
    assert cli("policy", "remove", "drops") == (0, "", f"tool-console: removed: {words}\n")
    assert 'id = "vague"' in (tmp_path / "config" / "policy.toml").read_text()
    code, out, err = cli("policy", "remove", "drops")
    assert (code, err) == (5, "tool-console: there is no rule 'drops'; look at the list of rules\n")


def test_a_call_is_explained_with_everything_that_was_considered(cli: Command, project: Path) -> None:
    cli("policy", "ask", "drop", "--role", "lead", "--id", "careful")
    cli("policy", "allow", "drop", "--caller", "agent:x", "--where", "path inside .", "--id", "trusted")
    code, out, _ = cli("policy", "explain", "drop", "path=../a")
    other_caller = "does not count here, it is about the caller agent:x, not you"
    assert code == 0
    assert out.splitlines() == [
        "drop, called by you, is asked about",
        "  Why: Ask about drop; a person in the role lead answers (careful)",
        "  Risk: high. The tool says that it may delete or overwrite something.",
        "  For rules and levels: destructive, it may destroy something",
        "  The tool says: Destructive: The tool says that it may delete or overwrite something.",
        f"  The tool says: Outside the project folder: Changes {project.parent / 'a'}",
        "  Also considered:",
        f'    Allow drop called by agent:x when path lies in ".": {other_caller}',
    ]
    document = json.loads(cli("policy", "explain", "drop", "path=a", "--caller", "agent:x", "--output", "json")[1])
    assert (document["effect"], document["rule"], document["place"]) == ("allow", "trusted", "user")
    assert document["answered"] == ["destructive"]
    assert cli("policy", "explain", "shout", "word=hi")[1].splitlines()[:2] == [
        "shout, called by you, runs without a question",
        "  Why: Nothing speaks against it",
    ]


@pytest.mark.parametrize(
    ("words", "code", "problem"),
    [
        (("explain", "dropp", "path=a"), 2, "no tool is called 'dropp'; did you mean"),
        (("explain", "drop", "path"), 2, "expected key=value or key:=JSON, got 'path'"),
        (("explain", "drop"), 4, "path is required"),
        (("allow", "drop", "--where", "path near x"), 2, "expected a path, one of equals, in, prefix, inside,"),
        (("allow", "drop", "--where", "path inside"), 2, "such as 'path inside src', got 'path inside'"),
        (("allow", "drop", "--uses", "0"), 2, "max_uses: Input should be greater than or equal to 1"),
        (("allow", "drop", "--where", "n above many"), 2, "valid number"),
        (("allow", "drop", "--in-project"), 5, "a project's rules can only ask and deny"),
        (("test", "nothing"), 5, "there is no rule 'nothing'"),
        (("autonomy", "reckless"), 2, "invalid choice: 'reckless'"),
    ],
)
def test_what_cannot_be_done_is_said(cli: Command, words: tuple[str, ...], code: int, problem: str) -> None:
    got, out, err = cli("policy", *words)
    assert (got, out) == (code, "")
    assert problem in err


def test_conditions_are_typed_as_people_say_them(cli: Command) -> None:
    conditions = [
        "mode in a,b",
        'n in [1, "x"]',
        "host host_in a.org,b.org",
        "t equals true",
        "w equals yes",
        "k above 2.5",
    ]
    cli("policy", "deny", "shout", "--id", "r", *(word for text in conditions for word in ("--where", text)))
    (placed,) = json.loads(cli("policy", "list", "--output", "json")[1])["rules"]
    assert placed["rule"]["where"] == [
        {"path": "mode", "in": ["a", "b"]},
        {"path": "n", "in": [1, "x"]},
        {"path": "host", "host_in": ["a.org", "b.org"]},
        {"path": "t", "equals": True},
        {"path": "w", "equals": "yes"},
        {"path": "k", "above": 2.5},
    ]


def test_a_rule_can_end_and_can_stand_in_the_project(cli: Command, project: Path) -> None:
    code, out, _ = cli("policy", "deny", "shout", "--in-project", "--until", "2090-01-01", "--id", "quiet")
    assert (code, out.startswith("quiet\n  Deny shout; until 20")) == (0, True)
    assert 'id = "quiet"' in (project / ".tool-console" / "policy.toml").read_text()
    assert "Rules of the project, which only tighten" in cli("policy", "list")[1]
    cli("policy", "allow", "shout", "--for", "2h", "--id", "brief")
    rules: list[dict[str, Any]] = json.loads(cli("policy", "list", "--output", "json")[1])["rules"]
    assert {rule["rule"]["id"] for rule in rules if "expires_at" in rule["rule"]} == {"quiet", "brief"}
    cli("policy", "allow", "shout", "--redact", "token", "--id", "hidden")
    assert "Hand on results of shout with token hidden" in cli("policy", "list")[1]
    cli("policy", "allow", "--redact-secrets", "--caller", "agent:*")
    assert "Hand on results of all tools called by agent:* with secrets hidden" in cli("policy", "list")[1]
    cli("policy", "ask", "--where", "secret")
    assert "Ask about all tools when an argument holds a secret" in cli("policy", "list")[1]


def test_the_level_is_shown_and_kept(cli: Command) -> None:
    assert cli("policy", "autonomy") == (
        0,
        "supervised\n  Supervised: asks before calls that may destroy something or have an unknown risk\n",
        "",
    )
    assert cli("policy", "autonomy", "manual")[1].startswith("manual\n")
    assert json.loads(cli("policy", "autonomy", "--output", "json")[1]) == {"autonomy": "manual"}


def test_a_file_that_cannot_be_read_is_told_with_every_command(cli: Command, tmp_path: Path) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "policy.toml").write_text("rule = 1")
    code, out, err = cli("policy", "explain", "shout", "word=hi")
    assert code == 0
    assert out.startswith("shout, called by you, is asked about\n  Why: The policy file")
    assert "cannot be read, so every call is asked about: rule: Input should be a valid" in err


@pytest.mark.expects_log("tools.history.writer")
def test_a_rule_is_tried_on_recorded_calls(cli: Command) -> None:
    for word in ("hi", "hello", "no"):
        assert cli("call", "shout", f"word={word}")[0] == 0
    cli("policy", "deny", "shout", "--where", "word prefix h", "--id", "greetings")
    out = cli.printed("policy", "test", "greetings", "--last", "10")
    head, result, *records = out.splitlines()
    assert head == 'Deny shout when word begins with "h"'
    assert result == "  would have denied 2 of the last 3 calls"
    assert len(records) == 2


def test_how_often_a_rule_was_used_outlives_the_command(cli: Command) -> None:
    cli("policy", "allow", "shout", "--id", "loud")
    for _ in range(2):
        assert cli("call", "shout", "word=hi", "--no-history")[0] == 0
    assert "  loud, used 2 times" in cli("policy", "list")[1].splitlines()


def test_yes_does_not_run_a_call_while_your_own_rules_cannot_be_read(cli: Command, tmp_path: Path) -> None:
    cli("policy", "deny", "drop", "--id", "never")
    file = tmp_path / "config" / "policy.toml"
    whole = file.read_text()
    file.write_text(f"{whole}\nautonomy = \n")
    err = cli.said(3, "call", "drop", "path=a", "--yes", "--no-history")
    assert err.count("--yes answers nothing, because rules that cannot be read may refuse what it would allow") == 1
    file.write_text(whole)
    assert "--yes" not in cli("call", "drop", "path=a", "--yes", "--no-history")[2]
