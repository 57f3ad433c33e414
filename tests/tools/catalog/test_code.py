"""Source code outlined, searched, measured, and what it depends on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.tools.catalog.calling import failure_of, result_of
from tools.catalog.code import Code

PARSER = '''"""Parse."""
import json
from pkg import lexer

LIMIT = 3


class Parser(Base):
    """Read words.

    More.
    """

    size: int = 1

    async def read(self, text: str, *, deep: bool = False) -> list[str]:
        # TODO(mira): be quick
        if deep and text or not text:
            for word in text:
                return [x for x in word if x]
        return []  # Parser is done


def main():
    text = "Parser"
    return Parser().read(text)
'''


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name, text in {
        "pkg/__init__.py": "",
        "pkg/parser.py": PARSER,
        "pkg/lexer.py": "from . import parser\nimport os\n",
        "pkg/broken.py": "def x(:\n",
        "run.sh": "#!/bin/sh\n# a comment\nbuild() {\n  echo TODO: later\n}\n",
        "app.js": "// Parser\nclass Parser {\n}\nfunction main() { return new Parser() }\n\n/* FIXME it\n*/\n",
        "lib.rs": "pub fn read() {}\nstruct Parser;\n",
        "README.md": "# Title\n\n```\n# no heading\n```\n\n## Part\n",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def run(project: Path, tool: str, **arguments: Any) -> Any:
    return result_of(Code(), tool, arguments, project)


def fail(project: Path, tool: str, **arguments: Any) -> str:
    return failure_of(Code(), tool, arguments, project)


def test_python_is_outlined_exactly(project: Path) -> None:
    found = run(project, "outline_file", path="pkg/parser.py")

    assert (found.language, found.exact, found.lines) == ("Python", True, 26)
    assert [(symbol.name, symbol.kind, symbol.line, symbol.end_line) for symbol in found.symbols] == [
        ("LIMIT", "variable", 5, 5),
        ("Parser", "class", 8, 21),
        ("Parser.size", "variable", 14, 14),
        ("Parser.read", "method", 16, 21),
        ("main", "function", 24, 26),
    ]
    assert found.symbols[1].description == "Read words."
    assert found.symbols[3].signature == "async def read(self, text: str, *, deep: bool=False) -> list[str]"


@pytest.mark.parametrize(
    ("path", "exact", "names"),
    [
        ("run.sh", True, ["build"]),
        ("README.md", True, ["Title", "Part"]),
        ("app.js", False, ["Parser", "main"]),
        ("lib.rs", False, ["read", "Parser"]),
    ],
)
def test_other_languages_are_outlined_and_say_how_surely(
    project: Path, path: str, exact: bool, names: list[str]
) -> None:
    found = run(project, "outline_file", path=path)

    assert (found.exact, [symbol.name for symbol in found.symbols]) == (exact, names)


def test_what_cannot_be_outlined_says_why(project: Path) -> None:
    (project / "x.unknown").write_text("x")

    assert "no correct Python in line 1" in fail(project, "outline_file", path="pkg/broken.py")
    assert "no programming language" in fail(project, "outline_file", path="x.unknown")


def test_symbols_are_found_in_all_languages_the_same_name_first(project: Path) -> None:
    found = run(project, "find_symbols", name="Parser")

    assert [(item.path, item.symbol.name) for item in found.symbols][:3] == [
        ("app.js", "Parser"),
        ("lib.rs", "Parser"),
        ("pkg/parser.py", "Parser"),
    ]
    assert found.files_skipped == 0
    assert [item.symbol.name for item in run(project, "find_symbols", name="read", kind="method").symbols] == [
        "Parser.read"
    ]


def test_uses_of_a_name_say_what_they_are(project: Path) -> None:
    (project / "pkg/parser.py").write_bytes(PARSER.replace("\n", "\r\n").encode())
    found = run(project, "find_references", name="Parser", include=["*.py"])

    assert [(use.line, use.kind) for use in found.uses] == [
        (8, "definition"),
        (21, "comment"),
        (25, "text"),
        (26, "use"),
    ]
    assert found.uses[0].column == 7
    assert "one name" in fail(project, "find_references", name="two words")


def test_what_is_left_to_do_is_found(project: Path) -> None:
    found = run(project, "find_todos")

    assert [(note.path, note.mark, note.owner, note.text) for note in found.notes] == [
        ("app.js", "FIXME", None, "it"),
        ("run.sh", "TODO", None, "later"),
        ("pkg/parser.py", "TODO", "mira", "be quick"),
    ]
    assert "capital letters" in fail(project, "find_todos", marks=["todo"])


def test_lines_are_counted_by_language(project: Path) -> None:
    found = {item.language: item for item in run(project, "count_code_lines").languages}

    assert (found["Shell"].code, found["Shell"].comments) == (3, 2)
    assert (found["JavaScript"].code, found["JavaScript"].comments, found["JavaScript"].blank) == (3, 3, 1)
    assert found["Python"].files == 4


def test_branches_of_functions_are_counted(project: Path) -> None:
    found = run(project, "measure_complexity")

    read = found.functions[0]
    # One way, if, and, or, for, and a comprehension with its if.
    assert (read.name, read.complexity, read.depth, read.arguments) == ("Parser.read", 7, 2, 3)
    assert (found.counted, found.files_skipped) == (2, 1)


def test_imports_and_their_circles_are_found(project: Path) -> None:
    found = run(project, "import_graph")

    assert found.circles == [["pkg.lexer", "pkg.parser"]]
    assert found.external == {"json": 1, "os": 1}
    assert found.modules[0].module in {"pkg.lexer", "pkg.parser"}


A = '[[package]]\nname = "a"\nversion = "1"\n'
B = '[[package]]\nname = "b"\nversion = "2"\n'
LOCKS = {
    "uv.lock": f'{A}dependencies = [{{ name = "b" }}]\n{B}[[package]]\nname = "App"\nsource = {{ virtual = "." }}\n',
    "poetry.lock": f'{A}[package.dependencies]\nb = ">=1"\n{B}',
    "Cargo.lock": f'{A}dependencies = ["b 2"]\n{B}',
    "package-lock.json": json.dumps(
        {
            "packages": {
                "": {"dependencies": {"a": "1"}},
                "node_modules/a": {"version": "1", "dependencies": {"b": "2"}, "license": "MIT"},
                "node_modules/b": {"version": "2", "license": "(GPL-3.0 OR Apache-2.0)"},
            }
        }
    ),
    "pnpm-lock.yaml": "packages:\n  a@1: {}\n  b@2: {}\n",
    "Pipfile.lock": json.dumps({"default": {"a": {"version": "==1"}}, "develop": {"b": {"version": "==2"}}}),
    "composer.lock": json.dumps({"packages": [{"name": "a", "version": "1"}, {"name": "b", "version": "2"}]}),
    "requirements.lock": "a==1 \\\n    --hash=sha256:0\nb[x]==2\n",
    "go.sum": "a v1 h1:x=\na v1/go.mod h1:x=\nb v2 h1:x=\n",
}


@pytest.mark.parametrize("name", LOCKS)
def test_lock_files_of_many_kinds_are_read(project: Path, name: str) -> None:
    (project / name).write_text(LOCKS[name])

    found = run(project, "list_dependencies")

    assert found.source == name
    assert [(package.name, package.version.lstrip("v")) for package in found.packages] == [("a", "1"), ("b", "2")]
    if name in {"uv.lock", "poetry.lock", "Cargo.lock", "package-lock.json"}:
        assert run(project, "list_dependencies", of="B", reverse=True).tree.split("\n")[1].strip() == "a 1"


def test_a_python_environment_is_read_and_its_licences_are_judged(project: Path) -> None:
    packages = project / ".venv/lib/python3.11/site-packages"
    for name, facts in {
        "a": "License-Expression: MIT\nRequires-Dist: b>1\nRequires-Dist: c; extra == 'x'",
        "b": "Classifier: License :: OSI Approved :: Apache Software License",
        "c": "License: UNKNOWN",
        "d": "License: GPL-3.0-only",
    }.items():
        folder = packages / f"{name}-1.dist-info"
        folder.mkdir(parents=True)
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n{facts}\n")

    found = run(project, "list_dependencies", of="a")
    licenses = run(project, "check_licenses", allowed=["MIT", "Apache License"])

    assert found.tree == "a 1\n  b 1"
    assert (licenses.unknown, licenses.not_allowed) == (1, 2)
    assert {use.license: use.allowed for use in licenses.licenses} == {
        "": False,
        "GPL-3.0-only": False,
        "MIT": True,
        "Apache Software License": True,
    }


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("uv.lock", "[[", "is broken"),
        ("package-lock.json", "[]", "is broken"),
        ("x.py", "", "expected a lock file"),
        ("uv.lock", LOCKS["uv.lock"], "is none of 2 packages"),
    ],
)
def test_what_is_no_lock_file_says_why(project: Path, name: str, text: str, said: str) -> None:
    (project / name).write_text(text)

    assert said in fail(project, "list_dependencies", path=name, of="none")
    assert "has no lock file" in fail(project, "list_dependencies", path="pkg")
