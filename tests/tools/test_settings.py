"""Settings of tools: where they stand, which counts, what tools are given, and which tools are disabled."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.tools.running import execute, run
from tools import (
    CallStatus,
    Configurator,
    Executor,
    PipelineStep,
    ToolContext,
    ToolPipeline,
    ToolRegistry,
    resilience,
    resolve_tools,
    tool,
    toolkit,
)
from tools.calls import ErrorKind
from tools.cli import main
from tools.errors import ToolSettingsError, VaultError
from tools.protected import PROJECT_FOLDER
from tools.settings import SettingOrigin, SettingsContent, ToolSettings

if TYPE_CHECKING:
    from tools import ToolResponse


class Kept(dict[str, str]):
    """A keyring in memory."""

    def put(self, name: str, value: str) -> None:
        self[name] = value

    def remove(self, name: str) -> None:
        self.pop(name, None)


class Locked(Kept):
    """A keyring that does not open."""

    def put(self, name: str, value: str) -> None:
        raise VaultError("locked")


@toolkit("Ships", description="Look after ships")
class Ships:
    @tool
    def sail(self) -> str:
        """Sail away."""
        return "sailed"

    @tool
    def sink(self) -> str:
        """Sink a ship."""
        return "sunk"


@tool
def greet(config: Configurator) -> str:
    """Greet as it is set."""
    return config.get("greeting", "hello")


class Shore:
    """The person's file, a project's, and a keyring."""

    def __init__(self, folder: Path) -> None:
        self.user = folder / "config" / "settings.properties"
        self.project_dir = folder / "project"
        self.project = self.project_dir / PROJECT_FOLDER / "settings.properties"
        self.secrets = Kept()
        self.environ: dict[str, str] = {}
        for file in (self.user, self.project):
            file.parent.mkdir(parents=True)

    @property
    def settings(self) -> ToolSettings:
        return ToolSettings(self.user, self.project_dir, environ=self.environ, secrets=self.secrets)

    def read(self) -> SettingsContent:
        return self.settings.read()


@pytest.fixture
def shore(tmp_path: Path) -> Shore:
    return Shore(tmp_path)


def test_what_a_project_says_is_not_the_persons_own(shore: Shore) -> None:
    shore.project.write_text("WebSearchTool.type=default\nMCP.url=https://elsewhere\nMCP.name=trap\n", "utf-8")
    shore.user.write_text("MCP.name=mine\n", "utf-8")
    shore.environ["TOOL_CONSOLE_SETTING_WebSearchTool__city"] = "Prague"
    assert shore.read().own_values == {"MCP.name": "mine", "WebSearchTool.city": "Prague"}


@pytest.mark.reference("C22", "C47")
def test_the_environment_counts_before_the_person_and_that_before_the_project(shore: Shore) -> None:
    shore.project.write_text("greeting=ahoy\nport=1\nhome = sea\n", "utf-8")
    shore.user.write_text("# mine\ngreeting: hi\nport=2\nWebSearchTool.type=default\n", "utf-8")
    shore.environ = {"TOOL_CONSOLE_SETTING_port": "3", "TOOL_CONSOLE_SETTING_a__b": "4", "OTHER": "5"}

    found = shore.read()

    assert found.values == {"port": "3", "a.b": "4", "greeting": "hi", "WebSearchTool.type": "default", "home": "sea"}
    assert [(one.name, one.origin.value) for one in found.settings if not one.counts] == [
        ("greeting", "project"),
        ("port", "user"),
        ("port", "project"),
    ]
    assert found.problems == ()


@pytest.mark.reference("C22")
def test_a_tool_is_given_what_is_set_and_another_value_from_its_next_call_on(shore: Shore) -> None:
    executor = Executor(ToolRegistry(resolve_tools([greet])), config=shore.read().config)
    assert executor.run("greet", {}).text == "hello"

    shore.settings.set("greeting", "moin")
    executor.config = shore.read().config

    assert executor.run("greet", {}).text == "moin"
    executor.close()


def test_a_change_leaves_comments_and_order_and_what_other_names_have(shore: Shore) -> None:
    shore.user.write_text("# first\nb=1\n\na=2\n", "utf-8")

    shore.settings.set("b", "3 = \\ drei\n")
    shore.settings.set("c", "4")
    shore.settings.unset("a")

    assert shore.user.read_text("utf-8") == "# first\nb=3 = \\\\ drei\\n\n\nc=4\n"
    assert shore.read().values == {"b": "3 = \\ drei\n", "c": "4"}


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("1 a", "x", "expected a name of letters"),
        ("enabled_tools", "fine (", "'\\(' of enabled_tools is no regular expression"),
    ],
)
def test_a_wrong_change_says_why_and_writes_nothing(shore: Shore, name: str, value: str, told: str) -> None:
    with pytest.raises(ToolSettingsError, match=told):
        shore.settings.set(name, value)

    assert not shore.user.exists()


def test_what_does_not_stand_there_cannot_be_taken_out(shore: Shore) -> None:
    with pytest.raises(ToolSettingsError, match=r"'a' does not stand in .*settings\.properties"):
        shore.settings.unset("a")
    with pytest.raises(ToolSettingsError, match="no project is open"):
        ToolSettings(shore.user).set("a", "b", SettingOrigin.PROJECT)


def test_a_secret_is_kept_in_the_keyring_and_shown_nowhere(shore: Shore) -> None:
    shore.settings.set("api_token", "s3cret")

    found = shore.read()

    assert "s3cret" not in shore.user.read_text("utf-8")
    assert found.values["api_token"] == "s3cret"
    assert "s3cret" not in repr(found.settings)
    shore.settings.unset("api_token")
    assert shore.secrets == {}


def test_no_keyring_is_told_with_what_to_do_and_nothing_is_written(shore: Shore) -> None:
    shore.secrets = Locked()
    with pytest.raises(ToolSettingsError, match="set TOOL_CONSOLE_SETTING_api__token"):
        shore.settings.set("api.token", "s3cret")
    assert not shore.user.exists()


def test_a_project_is_told_no_secret_of_the_person(shore: Shore) -> None:
    shore.secrets["api_token"] = "s3cret"
    shore.project.write_text("greeting=${keyring:api_token}\n", "utf-8")

    found = shore.read()

    assert "greeting" not in found.values
    assert "may not refer to your keyring" in found.problems[0]
    with pytest.raises(ToolSettingsError, match="a project's file may be everybody's"):
        shore.settings.set("api_token", "x", SettingOrigin.PROJECT)


def test_a_file_that_is_no_text_stops_no_other(shore: Shore) -> None:
    shore.user.write_bytes(b"\xff\xfe\x00")
    shore.project.write_text("greeting=ahoy\n=1\ngreeting=moin\n", "utf-8")

    found = shore.read()

    assert found.values == {"greeting": "moin"}
    assert [problem.partition(": ")[0].rpartition(", ")[2] for problem in found.problems[1:]] == ["line 2", "line 3"]
    assert found.problems[0].endswith("counts: expected text in UTF-8, found another byte at place 0; save it as UTF-8")


def test_what_would_silently_do_nothing_is_told(shore: Shore) -> None:
    shore.user.write_text("disabled_toolkit=Ships\ncommand_denylist=/nowhere/never.txt\nships=enabled\n", "utf-8")

    missing, misspelled = shore.read().problems

    assert missing.endswith("line 2: command_denylist names '/nowhere/never.txt', where no file is; it denies nothing")
    assert misspelled.endswith(
        "line 1: the program goes by 'disabled_toolkits', not by 'disabled_toolkit'; mend the name"
    )


def test_a_folder_in_the_place_of_a_file_is_told_as_one(shore: Shore) -> None:
    shore.user.mkdir()

    (problem,) = shore.read().problems

    assert problem.endswith("cannot be read, so none of its settings counts: expected a text file, found a folder")


def called(registry: ToolRegistry, *names: str) -> list[ToolResponse]:
    async def work() -> list[ToolResponse]:
        executor = Executor(registry)
        responses = [await execute(executor, name, {"name": "sail"} if name == "ask_for" else {}) for name in names]
        await executor.aclose()
        return responses

    found: list[ToolResponse] = run(work())
    return found


@pytest.mark.reference("E18")
@pytest.mark.parametrize("written", ["Ships", "ships , other", "SHIPS"])
def test_tools_of_a_disabled_toolkit_stay_listed_and_say_so_when_they_are_called(shore: Shore, written: str) -> None:
    shore.user.write_text(f"disabled_toolkits={written}\n", "utf-8")
    registry = ToolRegistry(resolve_tools([Ships(), greet]))
    registry.set_filter(shore.read().refusal)

    refused, greeted = called(registry, "sail", "greet")

    assert "sail" in registry
    assert refused.status is CallStatus.REJECTED
    assert refused.error is not None
    assert refused.error.kind is ErrorKind.DISABLED
    assert "disabled_toolkits" in refused.error.message
    assert "settings.properties, line 1" in refused.error.message
    assert greeted.status is CallStatus.EXECUTED


@pytest.mark.reference("C48")
def test_patterns_are_found_anywhere_in_toolkit_and_tool_and_none_means_all(shore: Shore) -> None:
    registry = ToolRegistry(resolve_tools([Ships(), greet]))
    shore.user.write_text("enabled_tools=Ships:s.i  ^nothing$\n", "utf-8")
    registry.set_filter(shore.read().refusal)
    assert [one.name for one in registry if registry.is_enabled(one.name)] == ["sail"]

    shore.user.write_text("enabled_tools=\n", "utf-8")
    registry.set_filter(shore.read().refusal)
    assert all(registry.is_enabled(one.name) for one in registry)


def test_each_place_narrows_and_none_takes_back_what_another_narrows(shore: Shore) -> None:
    shore.user.write_text("enabled_tools=Ships:\n", "utf-8")
    shore.project.write_text("enabled_tools=sail greet\ndisabled_toolkits=\n", "utf-8")
    registry = ToolRegistry(resolve_tools([Ships(), greet]))
    registry.set_filter(shore.read().refusal)

    assert [one.name for one in registry if registry.is_enabled(one.name)] == ["sail"]


def test_a_pattern_that_means_nothing_enables_nothing_and_is_told_with_its_line(shore: Shore) -> None:
    shore.user.write_text("a=1\nenabled_tools=( sail (a+)+$\n", "utf-8")
    found = shore.read()
    registry = ToolRegistry(resolve_tools([Ships()]))
    registry.set_filter(found.refusal)

    assert [one.name for one in registry if registry.is_enabled(one.name)] == ["sail"]
    assert "line 2: '(' of enabled_tools is no regular expression" in found.problems[0]


def test_what_comes_later_is_disabled_before_anybody_can_call_it(shore: Shore) -> None:
    shore.user.write_text("disabled_toolkits=Ships\n", "utf-8")
    registry = ToolRegistry()
    registry.set_filter(shore.read().refusal)
    seen: list[bool] = []
    registry.watch(lambda change: seen.extend(registry.is_enabled(one.name) for one in change.added))
    registry.register_all(resolve_tools([Ships()]))

    assert seen == [False, False]


@tool
async def ask_for(context: ToolContext, name: str) -> str:
    """Run another tool."""
    found = await context.run_tool(name, {})
    return found.output or str(found.error)


@tool
@resilience(fallback="sail")
def fail() -> str:
    """Fail, so that another tool is called."""
    raise ValueError("a storm")


@pytest.mark.reference("E18")
@pytest.mark.parametrize("name", ["sail", "SAIL", "Ships.sail", "ships.sail", " sail"])
def test_no_spelling_calls_a_disabled_tool(shore: Shore, name: str) -> None:
    shore.user.write_text("disabled_toolkits=Ships\n", "utf-8")
    registry = ToolRegistry(resolve_tools([Ships()]))
    registry.set_filter(shore.read().refusal)

    response = called(registry, name)[0]

    assert response.status in {CallStatus.REJECTED, CallStatus.NOT_FOUND}
    assert response.text != "sailed"


def test_no_other_tool_calls_a_disabled_one(shore: Shore) -> None:
    shore.user.write_text("disabled_toolkits=Ships\n", "utf-8")
    pipeline = ToolPipeline((PipelineStep("sail"),), name="voyage")
    registry = ToolRegistry(resolve_tools([Ships(), ask_for, fail, pipeline]))
    registry.set_filter(shore.read().refusal)

    found = called(registry, "ask_for", "fail", "voyage")

    assert [response.text for response in found if "sailed" in response.text] == []
    assert all("is disabled" in f"{response.text} {response.error}" for response in (found[0], found[2]))


class TestCommandLine:
    @pytest.fixture(autouse=True)
    def elsewhere(self, shore: Shore, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("TOOL_CONSOLE_CONFIG", str(shore.user.parent))
        monkeypatch.chdir(shore.project_dir)

    def test_sets_lists_and_takes_out(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["config", "set", "report.folder", "out"]) == 0
        assert main(["config", "set", "port", "1", "--in-project"]) == 0
        capsys.readouterr()
        assert main(["config", "list", "--output", "json"]) == 0
        document = json.loads(capsys.readouterr().out)
        assert {one["name"]: (one["value"], one["origin"]) for one in document["settings"]} == {
            "port": ("1", "project"),
            "report.folder": ("out", "user"),
        }
        assert main(["config", "unset", "port"]) == 2
        assert "'port' does not stand in" in capsys.readouterr().err

    @pytest.mark.reference("E18")
    def test_a_call_of_a_disabled_tool_says_what_disabled_it(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["config", "set", "enabled_tools", "hash_text"]) == 0
        capsys.readouterr()
        assert main(["call", "hash_text", "text=a"]) == 0
        assert main(["call", "file_info", "path=."]) != 0
        said = capsys.readouterr().err
        assert "is disabled: no pattern of enabled_tools in" in said
        assert "Add a pattern there that fits it." in said

    @pytest.mark.reference("C50")
    def test_a_list_of_commands_that_is_named_counts(self, shore: Shore, capsys: pytest.CaptureFixture[str]) -> None:
        listed = shore.project_dir / "never.txt"
        listed.write_text("KEYWORD:echo\n", "utf-8")
        assert main(["config", "set", "command_denylist", str(listed)]) == 0
        assert main(["call", "run_command", "command=echo hi", "--yes"]) == 3
        assert "KEYWORD:echo" in capsys.readouterr().err
