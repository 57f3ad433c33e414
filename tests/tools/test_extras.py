from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tools.catalog.calling import failure_of, result_of
from tools import DeclarationError, ToolRegistry, resolve_tools, tool, toolkit
from tools.catalog._extras import optional
from tools.cli.main import main
from tools.extras import EXTRAS, how_to_install, look_again, missing_libraries
from tools.manifest import Manifest
from tools.workbench import Workbench

ROOT = Path(__file__).parents[2]


@toolkit("Pictures", category="images")
class Pictures:
    @tool(extra="images", read_only=True)
    def measure(self) -> int:
        """Measure a picture."""
        return len(optional("PIL", "images").__name__)


@pytest.fixture
def lacks_pillow(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Have no Pillow: a module that is None is one that cannot be found."""
    monkeypatch.setitem(sys.modules, "PIL", None)
    look_again()
    yield
    monkeypatch.undo()
    look_again()


def test_the_extras_are_those_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    for extra, libraries in EXTRAS.items():
        assert [library.requirement for library in libraries] == project["optional-dependencies"][extra]


def test_a_tool_whose_extra_is_there_runs(tmp_path: Path) -> None:
    assert missing_libraries("images") == missing_libraries("") == ()
    assert result_of(Pictures, "measure", {}, tmp_path) == len("PIL")


@pytest.mark.usefixtures("lacks_pillow")
def test_a_call_names_the_extra_that_is_missing_and_how_to_have_it(tmp_path: Path) -> None:
    message = failure_of(Pictures, "measure", {}, tmp_path)

    assert message == (
        "this tool needs the extra 'images', and its library 'PIL' is not installed;"
        ' install it with: python -m pip install "pillow>=11.2"'
    )


@pytest.mark.usefixtures("lacks_pillow")
def test_the_command_line_names_what_is_missing_before_a_call(capsys: pytest.CaptureFixture[str]) -> None:
    bench = Workbench(installed=())
    bench.registry.register_all(resolve_tools([Pictures]))

    assert main(["list"], workbench=bench) == 0
    assert "[needs the extra images] Measure a picture." in capsys.readouterr().out
    assert main(["info", "measure"], workbench=bench) == 0
    assert "needs the extra 'images', of which PIL is missing" in capsys.readouterr().out


@pytest.mark.usefixtures("lacks_pillow")
def test_a_build_says_what_to_do_instead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)

    assert "from a Python environment" in how_to_install("images")


def test_an_extra_that_nobody_knows_is_refused() -> None:
    @tool(extra="pictures")
    def draw() -> None:
        """Draw."""

    with pytest.raises(DeclarationError, match="'pictures' is no extra of this program; there are charts,"):
        resolve_tools([draw])


def test_the_manifest_names_the_extra() -> None:
    assert [entry.extra for entry in Manifest.of(ToolRegistry(resolve_tools([Pictures]))).tools] == ["images"]
