"""The help tells what the program does: its examples run as they stand."""

from __future__ import annotations

import ast
import asyncio
import re
import shlex
import socket
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic import BaseModel

import tools
from console.__main__ import _parser as window_parser
from console.check.rows import FAULT_WORDS
from console.theme.files import resource_path
from tests.tools.test_cli_agent import called, serving
from tools import ToolRegistry, resolve_tools
from tools.cli import COMMANDS, main
from tools.cli.help_pages import commands_page, decorators_page
from tools.cli.main import parser_of
from tools.declare.build import bundle_of
from tools.declare.decorators import declaration_of
from tools.health.limits import LimitsScope
from tools.health.limits_file import FILE_NAME as LIMITS_FILE
from tools.health.limits_file import LimitsFile
from tools.lint import Severity, lint_registry
from tools.mcp.servers_file import ServersFile
from tools.models.evaluation import read_prompts
from tools.models.scripted import calls_in
from tools.openapi.apis_file import ApisFile
from tools.spec import CachePolicy, Hedge, RateLimit, Retry

COMMAND = re.compile(r"^tool-console (.+)$", re.MULTILINE)
PAGES = sorted(path.name for path in resource_path("help").glob("*.md"))
ROOT = Path(__file__).parents[2]
SHELL = re.compile(r"```(?:sh|bash|console)\n(.*?)```", re.DOTALL)
BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)


@pytest.mark.parametrize(
    "page",
    [
        name
        for name in PAGES
        # That page has a whole program, which is run below.
        if name != "webhooks.md" and BLOCK.search((resource_path("help") / name).read_text("utf-8"))
    ],
)
def test_the_tools_of_a_page_can_be_declared(page: str) -> None:
    text = (resource_path("help") / page).read_text("utf-8")
    for code in BLOCK.findall(text):
        names: dict[str, object] = {"__name__": "help_page"}
        exec(compile(code, page, "exec"), names)
        declared = [item for item in names.values() if callable(item) and declaration_of(item) is not None]

        registry = ToolRegistry()
        for item in declared:
            bundle = bundle_of(item)
            registry.register_all(bundle.tools, bundle.prompts)
        assert len(registry) + len(registry.prompts) == len(declared) > 0


def page_of(name: str) -> str:
    return (resource_path("help") / name).read_text("utf-8")


def commands_of(text: str) -> list[list[str]]:
    """Return the words of each command that a page shows, without what it says of it."""
    return [shlex.split(line, comments=True) for line in COMMAND.findall(text)]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty project folder, in which commands run as if nobody had used the program before."""
    monkeypatch.setenv("TOOL_CONSOLE_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path / "project"


@pytest.mark.expects_log("tools.calls")
def test_the_first_tools_work_as_their_page_says(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = page_of("first-tool.md")
    (file,) = re.findall(r"^Save this as `(\w+\.py)`", text, re.MULTILINE)
    count_words, delete_logs = BLOCK.findall(text)
    (folder / file).write_text(count_words)
    (shown,) = commands_of(text)
    assert main(shown) == 0
    assert capsys.readouterr().out == "3\n"
    (readme,) = [words for words in commands_of((ROOT / "README.md").read_text("utf-8")) if file in words]
    assert readme == shown

    (folder / file).write_text(delete_logs)
    (folder / "old.log").touch()
    (folder / "kept.txt").touch()
    called = ["call", "delete_logs", "folder=.", "--plugin", file]
    assert main([*called, "--dry-run"]) == 0
    assert "This cannot be undone." in capsys.readouterr().out
    assert (folder / "old.log").exists()
    assert main([*called, "--yes"]) == 0
    assert capsys.readouterr().out == "1\n"
    assert sorted(path.name for path in folder.iterdir()) == ["kept.txt", file]


@pytest.mark.expects_log("tools.calls")
def test_the_designed_tool_passes_what_its_page_looks_at(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = page_of("design.md")
    (code,) = BLOCK.findall(text)
    (folder / "my_tools.py").write_text(code.replace("find_invoices", "my_tool"))
    (folder / "invoices").mkdir()
    for day in ("2026-01-31", "2026-05-04", "2026-06-01"):
        (folder / "invoices" / f"C-1042-{day}.pdf").touch()
    plugin = ["--plugin", "my_tools.py"]
    assert main(["call", "my_tool", "customer=C-1042", "since=2026-03-31", *plugin]) == 0
    assert "C-1042-2026-06-01.pdf" in capsys.readouterr().out
    commands = commands_of(text)
    assert [words[0] for words in commands] == ["lint"] * 3 + ["wire"] * 3 + ["schema"] * 5
    for words in commands:
        assert main([*words, *plugin]) == 0, words
        assert capsys.readouterr().out


@pytest.mark.expects_log("tools.calls")
def test_the_page_about_checks_names_every_fault_and_its_commands_run(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = page_of("checks.md")
    named = [line.split(" | ")[0].removeprefix("| ") for line in text.splitlines() if line.startswith("| ")]
    assert named[1:] == list(FAULT_WORDS.values())
    source = (
        'from tools import tool\n@tool\ndef my_tool(turns: int) -> int:\n    """Turn a wheel."""\n    return turns\n'
    )
    (folder / "my_tools.py").write_text(source, "utf-8")
    for words in commands_of(text):
        assert words[0] == "check"
        # The parameter has no description, which is a warning.
        assert main([*words, "--plugin", "my_tools.py", "--seconds", "5"]) == 1, words
        assert "my_tool: " in capsys.readouterr().out


@pytest.mark.expects_log("tools.calls")
def test_the_tool_with_examples_is_called_as_its_page_says(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = page_of("examples.md")
    (folder / "quiz.py").write_text(*BLOCK.findall(text))
    plugin = ["--plugin", "quiz.py"]
    for words in (["call", "next_question", "session=q-7c1"], ["lint", "--tokens"], ["wire", "groq", "next_question"]):
        assert f"tool-console {words[0]}" in text
        assert main([*words, *plugin]) == 0
        assert capsys.readouterr().out


def test_the_prompt_is_written_as_its_page_says(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = page_of("prompts.md")
    (folder / "letters.py").write_text(*BLOCK.findall(text))
    written, *_ = commands_of(text)
    assert main(written) == 0
    assert capsys.readouterr().out == "Write a formal reply to this ticket:\n\nPaid twice\n"


@pytest.mark.reference("B20")
def test_the_help_says_when_examples_pay_and_when_not() -> None:
    text = page_of("examples.md")
    assert text.startswith("# When examples pay\n")
    when, _, rest = text.partition("Give examples when\n")[2].partition("\n\nLeave them out when ")
    assert when.count("\n- ") == 3
    assert rest.startswith("the arguments explain themselves")
    assert "each is sent with every request" in text


@pytest.mark.parametrize(
    "page",
    [
        "examples.md",
        pytest.param("design.md", marks=pytest.mark.reference("C45")),
    ],
)
def test_the_pages_about_good_tools_show_tools_that_are_described_well(page: str) -> None:
    text = (resource_path("help") / page).read_text("utf-8")
    names: dict[str, object] = {"__name__": "help_page"}
    (code,) = BLOCK.findall(text)
    exec(compile(code, page, "exec"), names)
    declared = [item for item in names.values() if callable(item) and declaration_of(item) is not None]

    found = lint_registry(resolve_tools(declared))
    assert [one.message for one in found if one.severity is not Severity.HINT] == []


def test_the_page_about_other_frameworks_shows_what_works_with_them() -> None:
    text = (resource_path("help") / "frameworks.md").read_text("utf-8")
    outgoing, incoming = BLOCK.findall(text)
    names: dict[str, Any] = {"__name__": "help_page"}
    exec(compile(outgoing, "frameworks.md", "exec"), names)
    for each in ("for_langchain", "for_the_agents_sdk", "for_pydantic_ai", "for_others"):
        assert [one.name for one in names[each]] == ["open_orders"]
    names = {"__name__": "help_page"}
    exec(compile(incoming, "frameworks.md", "exec"), names)
    assert [(made.name, made.spec.description) for made in names["both"]] == [
        ("translate", "Translate a word."),
        ("shout", "Shout a word."),
    ]
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    offered = extras["project"]["optional-dependencies"]
    assert re.findall(r"tool-console\[(.+?)\]", text) == ["langchain", "openai-agents", "pydantic-ai"]
    assert {"langchain", "openai-agents", "pydantic-ai"} <= set(offered)


@pytest.mark.reference("C46")
def test_the_ways_of_writing_a_tool_that_the_help_compares_are_there() -> None:
    text = (resource_path("help") / "first-tool.md").read_text("utf-8")
    table = text.partition("## Which way suits what")[2].partition("\n## ")[0]
    named = re.findall(r"`@?([a-z_]+)[(`]", table)
    assert named == ["tool", "toolkit", "prompt", "make_tool", "process_tool", "resolve_tools"]
    assert set(named) <= set(tools.__all__)
    assert "Servers page" in table
    assert "tool-console wire openai --properties" in table


@pytest.fixture
def answering(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Run the program of the page about webhooks, and give its address."""
    text = page_of("webhooks.md")
    (code,) = BLOCK.findall(text)
    (name,) = re.findall(r"^Save this as `(\w+\.py)`", text, re.MULTILINE)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (folder / name).write_text(code.replace("PORT = 8621", f"PORT = {port}"), "utf-8")
    monkeypatch.setenv("TOOL_CONSOLE_WEBHOOK_SECRET", "0123456789abcdef0123456789abcdef")
    address = f"http://127.0.0.1:{port}"
    with subprocess.Popen([sys.executable, name], cwd=folder) as program, httpx.Client(trust_env=False) as web:
        try:
            until(lambda: _is_there(web, address))
            yield address
        finally:
            program.terminate()


def until(holds: Callable[[], object]) -> None:
    deadline = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def _is_there(web: httpx.Client, address: str) -> bool:
    try:
        return "Nothing waits." in web.get(address).text
    except httpx.ConnectError:
        return False


def press(address: str, decision: str, caller: str = "you") -> None:
    """Press a button of the first question on the page, once there is one."""
    with httpx.Client(trust_env=False) as web:
        until(lambda: "wants to run" in web.get(address).text)
        page = web.get(address).text
        assert f"{caller} wants to run delete_file" in page
        (action,) = re.findall(rf'action="(/[^"]+/{decision})"', page)
        assert web.post(f"{address}/wrong/{decision}").status_code == httpx.codes.NOT_FOUND
        assert web.get(address, headers={"Host": "evil.example"}).status_code == httpx.codes.FORBIDDEN
        assert web.post(address + action).status_code == httpx.codes.SEE_OTHER


@pytest.mark.expects_log("tools.calls")
@pytest.mark.parametrize(("decision", "code"), [("continue", 0), ("exit_early", 3)])
def test_a_call_is_decided_on_the_page_of_the_program_that_answers_webhooks(
    folder: Path, answering: str, capsys: pytest.CaptureFixture[str], decision: str, code: int
) -> None:
    (folder / "a.txt").touch()
    with ThreadPoolExecutor(1) as person:
        pressing = person.submit(press, answering, decision)
        assert main(["call", "delete_file", "path=a.txt", "--webhook", f"{answering}/ask"]) == code
        pressing.result()
    assert (folder / "a.txt").exists() is (decision == "exit_early")
    assert ("Denied on the other device." in capsys.readouterr().err) is (decision == "exit_early")


@pytest.mark.expects_log("tools.calls")
def test_a_webhook_with_another_secret_or_none_refuses(
    folder: Path, answering: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "a.txt").touch()
    words = ["call", "delete_file", "path=a.txt", "--webhook", f"{answering}/ask"]
    monkeypatch.setenv("TOOL_CONSOLE_WEBHOOK_SECRET", "another secret that nobody knows")
    assert main(words) == 3
    assert "its status is 403" in capsys.readouterr().err
    monkeypatch.delenv("TOOL_CONSOLE_WEBHOOK_SECRET")
    assert main(words) == 2
    assert "expected its secret in TOOL_CONSOLE_WEBHOOK_SECRET" in capsys.readouterr().err
    assert main([*words, "--yes"]) == 2
    assert (folder / "a.txt").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl+C is sent by signal")
def test_the_call_of_an_agent_is_decided_on_that_page_too(
    folder: Path, answering: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["agent", "add", "phone"]) == 0
    token = capsys.readouterr().out.strip()
    (folder / "a.txt").touch()
    (shown,) = commands_of(page_of("webhooks.md"))
    assert shown == ["serve", "--webhook", "http://127.0.0.1:8621/ask"]
    with serving(folder, "--webhook", f"{answering}/ask") as (address, _), ThreadPoolExecutor(1) as person:
        pressing = person.submit(press, answering, "continue", "agent:phone")
        _, is_error = asyncio.run(called(address, token, "delete_file", path="a.txt"))
        pressing.result()
    assert (is_error, (folder / "a.txt").exists()) == (False, False)


def test_the_reference_pages_are_those_of_the_code() -> None:
    hint = "run `make catalogue` after a change of a command or a decorator"
    assert page_of("commands.md") == commands_page(), hint
    assert page_of("decorators.md") == decorators_page(), hint


def test_the_reference_names_every_command_and_every_decorator_with_all_it_takes() -> None:
    text = page_of("commands.md")
    assert re.findall(r"^## tool-console (\S+)$", text, re.MULTILINE) == list(COMMANDS)
    assert "`--safe-mode`" not in text
    assert "- `--dry-run`: only say what it would do" in text
    text = page_of("decorators.md")
    named = re.findall(r"^## @(\w+)$", text, re.MULTILINE)
    assert set(named) <= set(tools.__all__)
    policies: dict[str, type[BaseModel]] = {
        "retry": Retry,
        "rate_limit": RateLimit,
        "hedge": Hedge,
        "cached": CachePolicy,
    }
    for name, policy in policies.items():
        section = text.partition(f"## @{name}\n")[2].partition("\n## ")[0]
        assert re.findall(r"^- `(\w+)`", section, re.MULTILINE) == list(policy.model_fields)


def shell_lines() -> list[tuple[str, str]]:
    """Return each line of a shell block that a page of the help or the README shows, with the page."""
    pages = {name: page_of(name) for name in PAGES} | {"README.md": (ROOT / "README.md").read_text("utf-8")}
    return [
        (name, line)
        for name, text in pages.items()
        for block in SHELL.findall(text)
        for line in block.replace("\\\n", " ").splitlines()
        if line.startswith("tool-console")
    ]


def test_every_command_that_the_help_shows_is_one(capsys: pytest.CaptureFixture[str]) -> None:
    shown = shell_lines()
    assert len(shown) > 60
    wrong = []
    for page, line in shown:
        # What a shell does with the output is no word of the command.
        _, *words = shlex.split(re.split(r" [|>] ", line)[0], comments=True)
        if "--" in words:
            words = words[: words.index("--")]
        try:
            if words and not words[0].startswith("-"):
                parser_of(words).parse_args(words)
            else:
                window_parser().parse_args(words)
        except SystemExit:
            wrong.append(f"{page}: {line}: {capsys.readouterr().err.splitlines()[-1]}")
    assert wrong == []


def _literals(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def test_every_message_that_troubleshooting_quotes_is_one_of_the_program() -> None:
    quoted = re.findall(r"^### `(.+)`$", page_of("troubleshooting.md"), re.MULTILINE)
    assert len(quoted) > 15
    said = {text for room in ("tools", "console") for path in (ROOT / room).rglob("*.py") for text in _literals(path)}
    for message in quoted:
        for part in filter(None, map(str.strip, message.split("…"))):
            assert any(part in text for text in said), f"no code says {part!r} of {message!r}"


def blocks_of(page: str, kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", page_of(page), re.DOTALL)


def test_the_files_that_the_help_shows_are_read_without_a_complaint(tmp_path: Path) -> None:
    """Plans and policies are tried where those are."""
    servers, apis, prompts = tmp_path / "servers.json", tmp_path / "apis.json", tmp_path / "prompts.yaml"
    for text in (*blocks_of("servers.md", "json"), *blocks_of("agents.md", "json")):
        servers.write_text(text, "utf-8")
        read = ServersFile(servers).read()
        assert read.problems == ()
        assert read.servers
    apis.write_text(blocks_of("apis.md", "json")[0], "utf-8")
    assert ApisFile(apis).read().problems == ()
    assert [api.name for api in ApisFile(apis).read().configs] == ["shop"]
    (tmp_path / LIMITS_FILE).write_text(blocks_of("health.md", "toml")[0], "utf-8")
    limits = LimitsFile(tmp_path)
    fetching = limits.get(LimitsScope("fetch_page"))
    assert limits.problem == ""
    assert fetching is not None
    assert (fetching.p95_ms, fetching.least_calls) == (2_500, 20)
    asked, said = blocks_of("models.md", "yaml")
    prompts.write_text(asked, "utf-8")
    assert [prompt.ask for prompt in read_prompts(prompts).prompts] == ["How large is README.md?"]
    assert [call.name for call in calls_in(said)] == ["file_info"]


def test_the_pages_that_a_newcomer_needs_are_there() -> None:
    titles = {page_of(name).splitlines()[0].removeprefix("# ") for name in PAGES}
    assert "Security: what is protected, and what is not" in titles
    assert "Troubleshooting, by message" in titles
    assert {"Reference: commands", "Reference: decorators"} <= titles
    # A page that another one names must be one.
    for name in PAGES:
        for named in re.findall(r"see \*\*([^*]+)\*\*", page_of(name)):
            assert named in titles, f"{name} names {named!r}"
