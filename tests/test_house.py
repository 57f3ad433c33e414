"""The house rules that no linter knows."""

from __future__ import annotations

import ast
import gc
import importlib
import inspect
import itertools
import pickle
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import tools.cli
from console import __main__ as program

ROOT = Path(__file__).parent.parent
ROOMS = ("tools", "console", "resources", "tests", "packaging")
FORBIDDEN_NAMES = {"utils", "util", "helpers", "helper", "common", "manager", "misc"}


def _sources(*rooms: str) -> list[Path]:
    found = [path for room in rooms for path in (ROOT / room).rglob("*.py")]
    # Sample plugins are read by the program, one of them is broken on purpose.
    return sorted(path for path in found if "samples" not in path.parts)


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _relative(paths: list[Path]) -> list[str]:
    return [path.relative_to(ROOT).as_posix() for path in paths]


_LIBRARIES = {
    *("charset_normalizer", "docstring_parser", "httpx", "jinja2", "jmespath", "jsonschema", "keyring", "mcp", "numpy"),
    *("pint", "psutil", "pyqtgraph", "regex", "rich", "ruamel.yaml"),
}
"""What takes long to import, and a start without a call needs nothing of."""

_RUNNING = {
    *("tools.execution.executor", "tools.history", "tools.mcp.config", "tools.mcp.servers", "tools.metrics"),
    *("tools.openapi.config", "tools.openapi.document"),
    *("tools.policy", "tools.review", "tools.search", "tools.session"),
}
"""What runs calls, judges them, asks about them and keeps them."""

_SUSPICIOUS = (".exec", "processEvents", "asyncClose", ".connect(")


def _offences(nodes: Iterable[ast.AST], name: str) -> list[str]:
    """Return the banned calls of one module, each with its line."""
    found: list[str] = []
    for node in nodes:
        where = f"{name}:{getattr(node, 'lineno', 0)}"
        if isinstance(node, ast.Attribute):
            # The application's own loop is the one loop there is.
            is_application = isinstance(node.value, ast.Name) and node.value.id in {"app", "application"}
            if node.attr in {"exec", "exec_"} and not is_application:
                found.append(f"{where}: a nested event loop; open() and a future instead of .{node.attr}")
            if node.attr in {"processEvents", "asyncClose"}:
                found.append(f"{where}: .{node.attr}")
        if isinstance(node, ast.Name) and node.id == "asyncClose":
            found.append(f"{where}: asyncClose")
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "connect":
            found += [
                f"{where}: {kind} in .connect() keeps its owner alive; connect a bound method"
                for argument in (*node.args, *(keyword.value for keyword in node.keywords))
                if (kind := _closure_kind(argument))
            ]
    return found


def _closure_kind(node: ast.expr) -> str | None:
    if isinstance(node, ast.Lambda):
        return "a lambda"
    if isinstance(node, ast.Call) and ast.unparse(node.func) in {"partial", "functools.partial"}:
        return "a partial"
    return None


class Facts(NamedTuple):
    """What the rules ask of one module, from one look at it: all rules parsing it anew took a minute."""

    name: str
    offences: list[str]
    imports: set[str]
    live_tools: list[str]
    live_names: set[str]
    classes: list[str]
    unread: list[str]
    doubled_keys: list[str]
    reads_sentences: bool


@pytest.fixture(scope="module")
def all_facts(made_once: Callable[[str, Callable[[Path], bytes]], bytes]) -> list[Facts]:
    """Return what there is to say of each module of `tools`, `console` and `packaging`."""
    found: list[Facts] = pickle.loads(made_once("facts", _look_at_modules))
    return found


def _look_at_modules(_folder: Path) -> bytes:
    found = []
    # Trees hold no circles: looking for some took a quarter of the time.
    gc.disable()
    for path in _sources("tools", "console", "packaging"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        nodes = list(ast.walk(tree))
        facts = Facts(
            _name(path),
            _offences(nodes, _name(path)),
            _imports(nodes),
            _live_tools(nodes),
            _live_names(nodes),
            [node.name for node in nodes if isinstance(node, ast.ClassDef) and not node.name.startswith("_")],
            _unread_privates(tree, nodes),
            _doubled_keys(nodes),
            any(map(_looks_into_words, nodes)),
        )
        found.append(facts)
    gc.enable()
    return pickle.dumps(found)


@pytest.fixture(scope="module")
def facts_of_code(all_facts: list[Facts]) -> list[Facts]:
    """Return the facts of `tools` and `console`."""
    return [facts for facts in all_facts if facts.name.startswith(("tools/", "console/"))]


@pytest.fixture(scope="module")
def facts_of_window(all_facts: list[Facts]) -> list[Facts]:
    """Return the facts of `console`."""
    return [facts for facts in all_facts if facts.name.startswith("console/")]


def _nodes(source: str) -> list[ast.AST]:
    return list(ast.walk(ast.parse(source)))


def test_no_nested_loops_and_no_closures_in_connect(facts_of_code: list[Facts]) -> None:
    texts = {path: path.read_text(encoding="utf-8") for path in _sources("tests")}
    in_tests = [
        offence
        for path, text in texts.items()
        if any(word in text for word in _SUSPICIOUS)
        for offence in _offences(_nodes(text), _name(path))
    ]

    assert [offence for facts in facts_of_code for offence in facts.offences] + in_tests == []


def test_the_bans_see_what_they_are_for() -> None:
    bad = (
        "dialog.exec()\nQApplication.processEvents()\nbutton.clicked.connect(lambda: 1)\n"
        "button.clicked.connect(functools.partial(f, 1))\n@asyncClose\nasync def f(): ...\napp.exec()\n"
    )

    assert [offence.split(":")[1] for offence in sorted(_offences(_nodes(bad), "bad.py"))] == ["1", "2", "3", "4", "5"]


PANES = (
    "activity",
    "approval",
    "assistant",
    "batch",
    "browser",
    "call_result",
    "health",
    "history",
    "palette",
    "servers",
    "settings",
    "tool_page",
    "welcome",
)
FROZEN_VALUES = {
    *(
        "tools.calls",
        "tools.discovery.pipeline_drafts",
        "tools.errors",
        "tools.mcp.elicitation",
        "tools.paths",
        "tools.sentences",
        "tools.spec",
    ),
}
IO_MODULES = {
    "asyncio",
    "httpx",
    "io",
    "os",
    "qasync",
    "shutil",
    "socket",
    "sqlite3",
    "subprocess",
    "tempfile",
    "threading",
}


def _imports(nodes: Iterable[ast.AST]) -> set[str]:
    """Return the full names of the modules that a module imports."""
    found = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return found


def _of_panes(all_facts: list[Facts]) -> list[tuple[str, set[str]]]:
    folders = tuple(f"console/{pane}/" for pane in PANES)
    return [(facts.name, facts.imports) for facts in all_facts if facts.name.startswith(folders)]


def test_widgets_of_a_pane_know_no_service(all_facts: list[Facts]) -> None:
    found = []
    for name, imported in _of_panes(all_facts):
        # A page puts the parts of its pane together: it alone knows all of them.
        if "PySide6.QtWidgets" not in imported or name.endswith("/page.py"):
            continue
        services = {"asyncio", "httpx", "qasync", "console.engine", "console.tasks"} & imported
        services |= {module for module in imported if module.split(".")[0] == "tools"} - FROZEN_VALUES
        services |= {module for module in imported if module.endswith(".presenter")}
        found += [f"{name}: {module}" for module in sorted(services)]

    assert found == []


def test_presenters_and_models_know_no_widget_and_models_no_io(all_facts: list[Facts]) -> None:
    found = []
    for name, imported in _of_panes(all_facts):
        banned = set()
        if name.endswith(("presenter.py", "model.py", "rows.py")):
            banned.add("PySide6.QtWidgets")
        if name.endswith(("model.py", "rows.py")):
            banned |= IO_MODULES
        found += [f"{name}: {module}" for module in sorted(banned & imported)]

    assert found == []


LIVE_TOOLS = {
    "console/app/console.py": "puts everything together",
    "console/browser/tool_lints.py": "lints tools, in a thread",
    "console/assistant/engine_assistant.py": "offers them to models, on the engine's thread",
    "console/batch/parts.py": "checks plans, in a thread",
    "console/batch/runs.py": "runs plans, looks ahead at them and tells of steps, on the engine's thread",
    "console/check/engine_checks.py": "checks tools, on the engine's thread",
    "console/gateway/engine_agents.py": "tells what agents see of them, in a thread",
    "console/gateway/engine_profiles.py": "tells what profiles show of them, in a thread",
    "console/gateway/page.py": "makes what tells that",
    "console/health/watch.py": "judges tools, in a thread",
    "console/policies.py": "judges tools by rules, in a thread",
    "console/servers/config_adapter.py": "tries servers, on the engine's thread",
    "console/servers/engine_servers.py": "runs servers, on the engine's thread",
    "console/servers/page.py": "makes what runs servers",
}
"""The modules of the console that reach tools that can run, each with what it does with them; all others have cards."""


def _live_tools(nodes: Iterable[ast.AST]) -> list[str]:
    """Return what a module reaches of tools that can run."""
    found = []
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module in {"tools", "tools.registry", "tools.tool"}:
            banned = {"Tool", "ToolRegistry", "RegistryChange", "SourceReport"}
            found += [alias.name for alias in node.names if alias.name in banned or node.module == "tools.tool"]
        elif isinstance(node, ast.Attribute) and node.attr == "registry":
            owner = node.value.attr if isinstance(node.value, ast.Attribute) else ast.unparse(node.value)
            # What judges health has a registry of its own, of numbers.
            found += [f"{owner}.registry"] if owner.strip("_") in {"executor", "workbench"} else []
    return found


def test_the_window_has_cards_of_tools_and_no_tools(facts_of_window: list[Facts]) -> None:
    found = {facts.name: facts.live_tools for facts in facts_of_window if facts.live_tools}

    assert {name: reached for name, reached in found.items() if name not in LIVE_TOOLS} == {}
    assert found.keys() == LIVE_TOOLS.keys(), "a module needs no tools any more"


def test_modules_have_names_that_say_something() -> None:
    vague = [path for path in _sources(*ROOMS) if {path.stem, path.parent.name} & FORBIDDEN_NAMES]

    assert _relative(vague) == []


def _unread_privates(tree: ast.Module, nodes: list[ast.AST]) -> list[str]:
    """Return the private names of a module that nothing in it reads."""
    read = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    # Annotations may be text.
    texts = [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    made = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            made.append(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            made += [
                part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
            ]
    private = [name for name in made if re.match(r"_[^_]", name) and name not in read]
    return [name for name in private if not any(re.search(rf"\b{name}\b", text) for text in texts)]


def test_no_public_class_name_means_two_things(facts_of_code: list[Facts]) -> None:
    places: dict[str, list[str]] = {}
    for facts in facts_of_code:
        for name in facts.classes:
            places.setdefault(name, []).append(facts.name)
    assert "TraceStep" in places
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


def test_private_names_are_read_where_they_are_made(all_facts: list[Facts]) -> None:
    source = "_A = _B = 1\n_C: int = _A\ndef _f(x: '_D') -> None: ...\nclass _D: ...\n_E, _F = 1, 2\nprint(_F, _C)"
    assert _unread_privates(ast.parse(source), _nodes(source)) == ["_B", "_f", "_E"]

    assert [f"{facts.name}: {name}" for facts in all_facts for name in facts.unread] == []


def _circles(folder: str) -> list[list[str]]:
    """Return the circles in which modules of a folder import one another, imports for types included."""
    names = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in _sources(folder)}
    names = {name.removesuffix(".__init__"): path for name, path in names.items()}
    left: dict[str, set[str]] = {}
    for name, path in names.items():
        nodes = [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.ImportFrom)]
        pairs = [(str(node.module), f"{node.module}.{alias.name}") for node in nodes for alias in node.names]
        left[name] = ({whole if whole in names else package for package, whole in pairs} & names.keys()) - {name}
    # What imports nothing that is left, and what nothing left imports, stands in no circle.
    loose = set(left)
    while loose:
        needed = set().union(*left.values())
        loose = {name for name in left if not left[name] or name not in needed}
        left = {name: imported - loose for name, imported in left.items() if name not in loose}
    return [sorted(left)] if left else []


def test_no_modules_of_tools_know_each_other_in_a_circle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _circles("tools") == []
    (tmp_path / "room").mkdir()
    texts = {"a": "if TYPE_CHECKING:\n    from room.b import B\n", "b": "from room import a\n", "c": "import a\n"}
    for name, text in texts.items():
        (tmp_path / "room" / f"{name}.py").write_text(text, encoding="utf-8")
    monkeypatch.setattr(f"{__name__}.ROOT", tmp_path)
    assert _circles("room") == [["room.a", "room.b"]]


def _doubled_keys(nodes: Iterable[ast.AST]) -> list[str]:
    """Return the keys, attributes too, that stand twice in one display of a dictionary: the later one wins silently."""
    found = []
    for node in nodes:
        if isinstance(node, ast.Dict):
            seen: set[str] = set()
            for key in node.keys:
                if key is None:
                    # What is unpacked here may be meant to be put right by what follows.
                    seen.clear()
                    continue
                text = ast.unparse(key)
                found += [f"{key.lineno}: {text}"] if text in seen else []
                seen.add(text)
    return found


LIVE_NAMES = {"ToolCall", "ToolResponse", "call_of", "live_call", "open_calls"}
ENGINE_SIDE = {
    "console/engine.py",
    "console/batch/engine_run.py",
    "console/tool_page/engine_ports.py",
    "console/approval/review_aids.py",
}
"""The modules of `console` that stand between window and engine: they alone may hold a call that runs."""


def _live_names(nodes: Iterable[ast.AST]) -> set[str]:
    found = set()
    for node in nodes:
        found |= {getattr(node, "id", ""), getattr(node, "attr", "")}
        found |= {alias.name for alias in node.names} if isinstance(node, ast.ImportFrom) else set()
    return found & LIVE_NAMES


def test_the_window_knows_no_call_that_runs(facts_of_window: list[Facts]) -> None:
    assert {facts.name for facts in facts_of_window if facts.live_names} <= ENGINE_SIDE


SENTENCES = {"advice", "concern", "detail", "error", "message", "note", "problem", "reason", "refusal", "remedy", "why"}
TAKEN_APART = {
    "console/app/authoring.py": "Python's message of a syntax error names a place that stands beside it",
    "console/batch/rows.py": "what to do about a step that failed stands on a line of its own",
    "console/history/rows.py": "a first word that is a name keeps its first letter",
    "tools/web/requests.py": "OpenSSL's reasons",
    "tools/check/checker.py": "exceptions of tools, of which a response has the class's name alone",
    "tools/remedies.py": "exceptions of tools, of which a response has the class's name alone",
    "tools/openapi/store.py": "problems of a document begin with the key of their operation",
    "tools/schema/problems.py": "pydantic's messages",
}
"""The modules that look into a sentence or at the name of a type, each with the reason."""


def _looks_into_words(node: ast.AST) -> bool:
    """Return whether code takes a message apart, searches it or compares the name of a type."""

    def names(part: ast.expr) -> str:
        return part.attr if isinstance(part, ast.Attribute) else part.id if isinstance(part, ast.Name) else ""

    if isinstance(node, ast.Compare):
        parts = [node.left, *node.comparators]
        searched = isinstance(node.left, ast.Constant) and isinstance(node.ops[0], ast.In | ast.NotIn)
        return "type_name" in map(names, parts) or (searched and names(parts[1]) in SENTENCES)
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
        return False
    by_text = {"find", "index", "partition", "removeprefix", "rpartition", "split", "startswith"}
    by_pattern = {"findall", "finditer", "fullmatch", "match", "search", "split", "sub"}
    called, within = node.func.attr, names(node.func.value)
    return (called in by_text and within in SENTENCES) or (
        called in by_pattern and any(names(part) in SENTENCES for part in node.args)
    )


def test_nobody_reads_our_own_sentences_back(facts_of_code: list[Facts]) -> None:
    assert {facts.name for facts in facts_of_code if facts.reads_sentences} == TAKEN_APART.keys()
    seen = ["a.error.partition(': ')", "_P.match(why)", "e.type_name == 'X'", "'denied' in step.note"]
    assert all(any(map(_looks_into_words, _nodes(text))) for text in seen)


def test_no_key_of_a_dictionary_is_given_twice(all_facts: list[Facts]) -> None:
    source = "{Kind.A: 1, Kind.B: 2,\n Kind.A: 3}\n{Kind.A: 1, **others, Kind.A: 2}"
    assert _doubled_keys(_nodes(source)) == ["2: Kind.A"]

    assert [f"{facts.name}:{key}" for facts in all_facts for key in facts.doubled_keys] == []


def test_only_packages_list_their_names() -> None:
    # A package hands on names of its modules; a module has no second list of its own.
    modules = [path for path in _sources("tools", "console") if path.name != "__init__.py"]
    listing = [path for path in modules if re.search(r"^__all__\b", path.read_text(encoding="utf-8"), re.MULTILINE)]

    # The theme is being redrawn.
    assert [path for path in _relative(listing) if not path.startswith("console/theme/")] == []


def test_packaging_is_no_package() -> None:
    assert not (ROOT / "packaging" / "__init__.py").exists()


def test_windows_are_written_in_python() -> None:
    assert _relative([path for room in ROOMS for path in (ROOT / room).rglob("*.ui")]) == []


def test_no_file_names_a_machine() -> None:
    # In pieces, so that this file does not find itself.
    banned = re.compile("|".join((r"(?<![\w.])/ro" + "ot/", r"(?<![\w.])/wo" + "rk/")))
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    found = []
    for name in listed.split("\0"):
        path = ROOT / name
        if path.suffix in {".py", ".md", ".toml", ".sh", ".spec", ".cfg", ""} and path.is_file():
            text = path.read_text(encoding="utf-8", errors="replace")
            found += [f"{name}: {match.group()}" for match in banned.finditer(text)]

    assert found == []


@pytest.mark.parametrize("module", ["tools", "tools.cli"])
def test_the_framework_leaves_qt_alone(module: str) -> None:
    code = (
        f"import sys, {module}\n"
        "qt = {'PySide6', 'shiboken6', 'qasync', 'pyqtgraph'}\n"
        "print(*sorted(qt & {name.partition('.')[0] for name in sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "", "")


def test_the_public_names_of_later_are_where_type_checkers_find_them() -> None:
    nodes = ast.walk(ast.parse((ROOT / "tools" / "__init__.py").read_text(encoding="utf-8")))
    imported = [
        (alias.name, str(node.module)) for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names
    ]
    later = importlib.import_module("tools")._LATER

    assert later
    assert later.items() <= set(imported)


@pytest.mark.parametrize(
    ("code", "later"),
    [
        ("import tools", {*_RUNNING, *_LIBRARIES, "tools.discovery", "tools.workbench"}),
        ("import tools.cli", {*_RUNNING, *_LIBRARIES, "tools.catalog", "tools.openapi"}),
        ("from tools.cli import main; main(['list'])", {*_RUNNING, *_LIBRARIES}),
    ],
)
def test_a_start_loads_only_what_it_needs(code: str, later: set[str]) -> None:
    code += f"\nimport sys; print(*sorted({later!r} & sys.modules.keys()), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)

    assert done.stderr.splitlines()[-1:] == [""], done.stderr


def test_the_command_line_leaves_qt_alone() -> None:
    code = (
        "import sys\nfrom console.__main__ import main\nsys.argv = ['tool-console', 'list']\n"
        "try:\n    code = main()\nexcept SystemExit as ended:\n    code = ended.code\n"
        "print('PySide6' in sys.modules, code or 0, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)

    assert done.stderr.splitlines()[-1:] == ["False 0"], done.stderr


def test_the_help_of_the_program_names_every_command() -> None:
    assert program.COMMANDS.split(", ") == list(tools.cli.COMMANDS)


def test_the_public_face_is_sorted_and_documented() -> None:
    tools = importlib.import_module("tools")
    public = {name for name, value in vars(tools).items() if not name.startswith("_") and not inspect.ismodule(value)}
    public -= {"annotations", "Final", "TYPE_CHECKING"}

    assert list(tools.__all__) == sorted(tools.__all__)
    # A name may be loaded on first use; what is there without being listed is an accident.
    assert public <= set(tools.__all__)
    missing = [name for name in tools.__all__ if not hasattr(tools, name)]
    assert missing == []
    callables = [name for name in tools.__all__ if callable(getattr(tools, name))]
    assert [name for name in callables if not (getattr(tools, name).__doc__ or "").strip()] == []


def test_void_qt_calls_leave_none_alone() -> None:
    """PySide6 6.12.0 on CPython 3.11 loses a reference to None in each void call and aborts after a few thousand."""
    code = "from PySide6.QtCore import QObject\nleaf = QObject()\nfor _ in range(20_000):\n    leaf.parent()\n"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")


def _locked(name: str) -> dict[str, set[str]]:
    """Return the locked versions by canonical name."""
    versions: dict[str, set[str]] = {}
    for line in (ROOT / "packaging" / name).read_text(encoding="utf-8").splitlines():
        if match := re.match(r"([A-Za-z0-9_.-]+)==(\S+)", line):
            versions.setdefault(canonicalize_name(match[1]), set()).add(match[2])
    return versions


def _declared(project: dict[str, Any], *extras: str) -> Iterator[Requirement]:
    """Yield what the project and some of its extras need; an extra may name others of the project itself."""
    wanted_by_extra = project["optional-dependencies"]
    for text in project["dependencies"] + [text for extra in extras for text in wanted_by_extra[extra]]:
        wanted = Requirement(text)
        if wanted.name == project["name"]:
            yield from _declared(project, *wanted.extras)
        else:
            yield wanted


@pytest.mark.parametrize(("lock", "extra"), [("requirements.lock", "dev"), ("bench.lock", "bench")])
def test_a_lock_covers_what_is_declared(lock: str, extra: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    locked = _locked(lock)
    declared = list(_declared(project, extra))

    assert [str(wanted) for wanted in declared if canonicalize_name(wanted.name) not in locked] == []
    unmet = [
        str(wanted)
        for wanted in declared
        if not any(wanted.specifier.contains(version) for version in locked[canonicalize_name(wanted.name)])
    ]
    assert unmet == []


@pytest.mark.parametrize("lock", ["requirements.lock", "bench.lock"])
def test_a_lock_names_hashes_and_no_place(lock: str) -> None:
    lines = (ROOT / "packaging" / lock).read_text(encoding="utf-8").splitlines()
    pinned = r"[a-z0-9.-]+==[\w.!+-]+( ; [^/\\@]+)? \\"
    hashed = r"    --hash=sha256:[0-9a-f]{64}( \\)?"

    assert [line for line in lines if not re.fullmatch(f"{pinned}|{hashed}", line)] == []
    assert sum(line.startswith("    ") for line in lines) > len(lines) // 2
    assert all(after.startswith("    ") for line, after in itertools.pairwise(lines) if "==" in line)
