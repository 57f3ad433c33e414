"""The running program for end-to-end tests, and what is kept of it when a test fails."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import sys
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import pytest

from tests.end2end.accessibility import Screen
from tests.end2end.desktop import Program
from tests.end2end.person import Person

ROOT = Path(__file__).parent.parent.parent
PLUGINS = Path(__file__).parent / "plugins"
SAMPLE = ROOT / "resources" / "samples" / "support-agent"
EVIDENCE = ROOT / "build" / "end2end"

Start = Callable[..., contextlib.AbstractContextManager[Person]]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Keep a picture of the screen and the program's log when a test on the screen fails."""
    report = yield
    if report.failed and call.when == "call":
        for value in getattr(item, "funcargs", {}).values():
            if isinstance(value, Person):
                keep_evidence(item.name, value.program)
    return report


def keep_evidence(name: str, program: Program) -> None:
    """Save a picture of the screen, and what the program wrote."""
    EVIDENCE.mkdir(parents=True, exist_ok=True)
    picture = [sys.executable, "-m", "tests.end2end.picture", str(EVIDENCE / f"{name}.png")]
    subprocess.run(picture, cwd=ROOT, check=False, timeout=60)
    (EVIDENCE / f"{name}.log").write_text(program.log(), encoding="utf-8")


@contextlib.contextmanager
def open_console(
    home: Path, project: Path, *plugins: Path, environment: dict[str, str] | None = None
) -> Iterator[Person]:
    """Start the program and wait until its tools are on the table.

    Args:
        home: A folder of its own for settings and state; the same one again remembers.
        project: The project folder.
        plugins: Plugin files.
        environment: Further environment variables.
    """
    words = [sys.executable, "-m", "console", "--project", str(project)]
    for plugin in plugins:
        words += ["--plugin", str(plugin)]
    with Program(words, home, environment) as program:
        try:
            program.wait_for_window()
            with Screen(program.process.pid) as screen:
                person = Person(program, screen)
                person.see(r"^[1-9]\d* tools$")
                yield person
        except BaseException:
            # A test that started the program itself fails inside of it; for the others the report comes in time.
            keep_evidence(home.name, program)
            raise


def copy_of_sample(folder: Path) -> Path:
    project = folder / "support-agent"
    shutil.copytree(SAMPLE, project)
    return project


def project_of(person: Person) -> Path:
    return person.program.home / "support-agent"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return copy_of_sample(tmp_path)


@pytest.fixture(scope="module")
def shared(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Person]:
    """Give the program that all tests of a module use, with the plugins that the module names in `MODULE_PLUGINS`."""
    folder = tmp_path_factory.mktemp("shared")
    names: tuple[str, ...] = getattr(request.module, "MODULE_PLUGINS", ())
    with open_console(folder, copy_of_sample(folder), *(PLUGINS / name for name in names)) as person:
        yield person


@pytest.fixture
def console(shared: Person) -> Iterator[Person]:
    """Give the module's program, and see that a test made it complain about nothing."""
    before = len(shared.program.complaints())
    if shared.screen.find("Deny") is not None:  # a test that failed left its question open
        shared.press("Escape")
        shared.wait_until("the question to go", lambda: shared.screen.find("Deny") is None)
    yield shared
    assert shared.program.complaints()[before:] == []
