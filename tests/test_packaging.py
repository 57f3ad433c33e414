"""What we ship is said, and what we say is shipped."""

from __future__ import annotations

import importlib.util
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.utils import canonicalize_name

import tools

PACKAGING = Path(__file__).parent.parent / "packaging"


def _load(script: str) -> dict[str, Any]:
    spec = importlib.util.spec_from_file_location(f"tool_console_{script}", PACKAGING / f"{script}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return vars(module)


@pytest.fixture(scope="module")
def runtime() -> set[str]:
    return set(_load("notices")["runtime_distributions"]())


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


def test_names_that_nothing_but_tests_uses_are_found(tmp_path: Path) -> None:
    for room in ("console", "packaging", "resources", "tests", "tools/catalog"):
        (tmp_path / room).mkdir(parents=True)
    (tmp_path / "tools" / "__init__.py").write_text("from tools.parts import Kept, Odd\n__all__ = ['Kept', 'Odd']\n")
    (tmp_path / "tools" / "parts.py").write_text(
        "LIMIT_OF_ODD = 1\n"
        "def odd_function(): ...\n"
        "class Odd: ...\n"
        "class Kept:\n"
        "    odd_field: int = 0\n"
        "    def odd_method(self): self.odd_attribute = 1\n"
        "    @property\n"
        "    def odd_property(self): ...\n"
        "    def run(self): ...\n"
        "    def paintEvent(self): ...\n"
        "    @field_validator('x')\n"
        "    def _checked(cls): return cls\n"
    )
    (tmp_path / "tools" / "catalog" / "shown.py").write_text("class Shown:\n    told_to_a_model: int\nprint(Shown)\n")
    (tmp_path / "console" / "window.py").write_text("from tools import Kept\nKept().run()\n")
    (tmp_path / "tests" / "test_odd.py").write_text("from tools import Odd, parts\nOdd(parts.LIMIT_OF_ODD)\n")

    found = _load("unused")["unused"](tmp_path)

    names = ("LIMIT_OF_ODD", "odd_function", "Odd", "odd_field", "odd_method", "odd_attribute", "odd_property")
    assert sorted(re.findall(r"'(\w+)'", "\n".join(found))) == sorted(names)


def test_what_embedding_programs_use_is_told_where_they_look() -> None:
    project = tomllib.loads((PACKAGING.parent / "pyproject.toml").read_text(encoding="utf-8"))

    listed = project["tool"]["unused"]["embedding"]
    assert [path for path in listed if path.rpartition(".")[2] not in (tools.__doc__ or "")] == []
