"""What we ship is said, and what we say is shipped."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest
from packaging.utils import canonicalize_name

PACKAGING = Path(__file__).parent.parent / "packaging"


def _load_notices() -> dict[str, object]:
    """Return the names of packaging/notices.py, which is a script and in no package."""
    spec = importlib.util.spec_from_file_location("tool_console_notices", PACKAGING / "notices.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return vars(module)


@pytest.fixture(scope="module")
def runtime() -> set[str]:
    runtime_distributions = _load_notices()["runtime_distributions"]
    assert callable(runtime_distributions)
    return set(runtime_distributions())


@pytest.fixture(scope="module")
def sections() -> dict[str, str]:
    page = (PACKAGING / "THIRD-PARTY-NOTICES.md").read_text(encoding="utf-8")
    return {match[1]: match[2] for match in re.finditer(r"^## (.+)\n\nLicence: (.*)$", page, re.MULTILINE)}


def test_every_runtime_package_has_a_notice(runtime: set[str], sections: dict[str, str]) -> None:
    assert {"httpx", "pydantic-core", "pyside6-essentials", "shiboken6"} <= runtime
    assert runtime - set(sections) == set(), "run `make notices`"
    assert [title for title, licence in sections.items() if not licence.strip()] == []


def test_the_lock_holds_every_runtime_package(runtime: set[str]) -> None:
    lock = (PACKAGING / "requirements.lock").read_text(encoding="utf-8")
    locked = {canonicalize_name(name) for name in re.findall(r"^([\w.-]+)==", lock, re.MULTILINE)}

    assert runtime - locked == set()


def test_fonts_icons_and_the_language_have_notices(sections: dict[str, str]) -> None:
    assert {"Inter (typeface)", "JetBrains Mono (typeface)", "Lucide (icons)", "Python"} <= set(sections)


def test_the_desktop_entry_starts_the_installed_program() -> None:
    entry = (PACKAGING / "tool-console.desktop").read_text(encoding="utf-8")

    fields = dict(line.split("=", 1) for line in entry.splitlines() if "=" in line)
    assert entry.startswith("[Desktop Entry]\n")
    assert (fields["Type"], fields["Exec"], fields["Icon"]) == ("Application", "tool-console", "tool-console")
