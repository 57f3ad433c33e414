"""Collect the words of the window for its translators, and compile what they wrote (`make translations`).

Each `resources/translations/LANGUAGE.ts` gets every text that `console` hands to `tr` and `tr_count`, and what it shows
of `tools`: tables of words, why a person is asked, the built-in toolkits, and the sentences that `tools` makes
(`packaging/sentences.py`). What was translated stays, a new text is marked as unfinished, one that is gone is taken
out. With `--check` nothing is written, and what is wrong is told instead. A new language begins with an empty file.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from pathlib import Path
from string import Formatter
from typing import Final, NamedTuple
from xml.etree import ElementTree as ET

from sentences import sentences_of

from console.language import CONTEXT, OF_TOOLS, PATTERNS
from tools.catalog import builtin_tools, search_of
from tools.policy import RISK_WORDS
from tools.registry import ToolRegistry
from tools.spec import ToolSpec

ROOT: Final = Path(__file__).parent.parent
FOLDER: Final = ROOT / "resources" / "translations"
WORDS_OF_TOOLS: Final = (
    ("tools.policy", "AUTONOMY_WORDS"),
    ("tools.policy", "RISK_WORDS"),
    ("tools.policy.wording", "HINT_PARTS"),
    ("tools.policy.wording", "HINT_SENTENCES"),
    ("tools.policy.wording", "LISTED"),
    ("tools.check.findings", "FAULT_TEXTS"),
    ("tools.check.findings", "SKIP_WORDS"),
    ("tools.discovery.templates", "TEMPLATE_WORDS"),
    ("tools.extras", "NOT_IN_A_BUILD"),
    ("tools.execution.questions", "WHY"),
    ("tools.gateway.client_configs", "NEXT_STEPS"),
    ("tools.lint.findings", "FINDING_WORDS"),
    ("tools.mcp.state", "REMEDY_BY_FAULT"),
    ("tools.remedies", "BY_KIND"),
    ("tools.remedies", "FOR_PERSON"),
    ("tools.remedies", "WITH_LOG"),
    ("tools.remedies", "WITH_TRACEBACK"),
    ("tools.trace_words", "TITLE_BY_KIND"),
    ("tools.trace_words", "WORD_BY_NOTE"),
    ("tools.wire.words", "FIX_WORDS"),
)
"""Tables of words, by module and name, that the window shows through `translated`."""

SENTENCES_OF_TOOLS: Final = (
    "adapters",
    "audit",
    "batch",
    "calls",
    "catalog",
    "check",
    "context.py",
    "declare",
    "discovery",
    "errors.py",
    "execution",
    "gateway",
    "health",
    "history",
    "keyring_secrets.py",
    "known_keys.py",
    "lint",
    "mcp",
    "metrics",
    "models",
    "network.py",
    "network_hosts.py",
    "openapi",
    "paths.py",
    "pip_install.py",
    "policy",
    "programs.py",
    "protected.py",
    "registry.py",
    "remedies.py",
    "review",
    "schema",
    "session",
    "settings.py",
    "shared_file.py",
    "spec.py",
    "tool.py",
    "trace_words.py",
    "vault.py",
    "watched_file.py",
    "web",
    "wire",
)
"""Folders and modules of `tools` whose sentences a person may read in the window."""

SAID_TO_OTHERS: Final = (
    "tools/batch/cluster_worker.py",
    "tools/batch/exporting.py",
    "tools/batch/graph.py",
    "tools/catalog/_languages.py",
    "tools/catalog/prompts.py",
    "tools/check/arguments.py",
    "tools/check/findings.py",
    "tools/check/pytest_file.py",
    "tools/discovery/pipeline_files.py",
    "tools/execution/workers/call_receiver.py",
    "tools/execution/workers/system.py",
    "tools/execution/workers/worker.py",
    "tools/gateway/agent_server.py",
    "tools/gateway/agent_tasks.py",
    "tools/gateway/answers.py",
    "tools/gateway/authentication.py",
    "tools/gateway/bridge",
    "tools/gateway/built_in_resources.py",
    "tools/gateway/completions.py",
    "tools/gateway/http_timeouts.py",
    "tools/gateway/multi_round_requests.py",
    "tools/gateway/request_states.py",
    "tools/health/exporting.py",
    "tools/health/telemetry.py",
    "tools/health/time_slots.py",
    "tools/health/transitions.py",
    "tools/history/asking.py",
    "tools/lint/findings.py",
    "tools/mcp/process.py",
    "tools/models/context.py",
    "tools/models/export.py",
    "tools/models/offered_tools.py",
    "tools/models/summary.py",
    "tools/policy/shell_options.py",
    "tools/policy/shell_programs.py",
    "tools/policy/shell_syntax.py",
    "tools/policy/toml_text.py",
    "tools/review/human_input.py",
    "tools/review/plain_text.py",
    "tools/review/terminal.py",
    "tools/session/context_window.py",
    "tools/session/wording.py",
    "tools/wire/anthropic.py",
    "tools/wire/definition.py",
    "tools/wire/fidelity.py",
    "tools/wire/providers.py",
)
"""Modules in them whose words are for agents, terminals, files and other programs."""


OF_THE_SYSTEM: Final = (
    "Address already in use",
    "All connection attempts failed",
    "Broken pipe",
    "Connection refused",
    "Connection reset by peer",
    "Connection timed out",
    "Directory not empty",
    "Exec format error",
    "File exists",
    "File name too long",
    "Input/output error",
    "Is a directory",
    "Name or service not known",
    "Network is unreachable",
    "No route to host",
    "No space left on device",
    "No such file or directory",
    "Not a directory",
    "Operation not permitted",
    "Permission denied",
    "Read-only file system",
    "Temporary failure in name resolution",
    "Text file busy",
    "Too many open files",
    "[Errno {1}] {2}",
    "[Errno {1}] {2}: {3}",
)
"""What the operating system says most often, which sentences of the framework quote."""


class Text(NamedTuple):
    """A text of the source.

    Attributes:
        source: The words; of those that depend on a count, what is said of several.
        meaning: What tells it from the same words that mean something else.
        counted: Whether it depends on a count.
        context: The group that it stands in.
    """

    source: str
    meaning: str = ""
    counted: bool = False
    context: str = CONTEXT


class NotWrittenOutError(Exception):
    """A call of `tr` whose words are not written out."""


def collected() -> dict[Text, set[str]]:
    """Return every text of the window with the modules that say it.

    Raises:
        NotWrittenOutError: Some words are not written out where they are handed over.
    """
    found: dict[Text, set[str]] = {}
    for path in sorted((ROOT / "console").rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and (text := _text_of(node, name)):
                found.setdefault(text, set()).add(name)
    for text, name in (*_said_of_calls(), *_toolkits()):
        found.setdefault(text, set()).add(name)
    for module, table in WORDS_OF_TOOLS:
        for words in _strings(getattr(importlib.import_module(module), table)):
            found.setdefault(Text(words), set()).add(f"{module}.{table}")
    for words in RISK_WORDS.values():
        if " " not in words:
            # One word alone is a name, unless a sentence is made of it.
            found.setdefault(Text(words, context=OF_TOOLS), set()).add("tools.policy.RISK_WORDS")
    for words in OF_THE_SYSTEM:
        found.setdefault(Text(words, context=OF_TOOLS), set()).add("tools.errors")
    for words, name in _sentences():
        if Text(words) not in found:
            found.setdefault(Text(words, context=OF_TOOLS), set()).add(name)
    return found


def _sentences() -> Iterator[tuple[str, str]]:
    """Yield the sentences of the framework, and the modules that make them."""
    for place in SENTENCES_OF_TOOLS:
        path = ROOT / "tools" / place
        for module in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            name = module.relative_to(ROOT).as_posix()
            if not name.startswith(SAID_TO_OTHERS):
                yield from ((words, name) for words in sentences_of(module.read_bytes()))


def patterns(texts: Iterable[Text]) -> str:
    """Return the file of the sentences that are recognised by their words, since they hold values or braces."""
    found = sorted(text.source for text in texts if text.context == OF_TOOLS and "{" in text.source)
    return "".join(f"{source}\n" for source in found)


def _said_of_calls() -> Iterator[tuple[Text, str]]:
    """Yield why a person is asked about a call and what of its risk, and the modules; what holds a value stays."""
    for path in sorted((ROOT / "tools").rglob("*.py")):
        content = path.read_bytes()
        if not any(sign in content for sign in (b"Concern(", b"RiskFinding(", b"RiskDegree.")):
            continue
        for node in ast.walk(ast.parse(content)):
            for words in _words_of_call(node):
                for one in (words.body, words.orelse) if isinstance(words, ast.IfExp) else (words,):
                    if isinstance(one, ast.Constant) and isinstance(one.value, str) and one.value:
                        yield Text(one.value), path.relative_to(ROOT).as_posix()


def _words_of_call(node: ast.AST) -> list[ast.expr]:
    """Return the words of a concern, of a finding about a risk, or that stand beside its degree."""
    match node:
        case ast.Call(func=ast.Name(id="Concern"), args=[_, *words]):
            return words[:2]
        case ast.Call(func=ast.Name(id="RiskFinding"), args=[_, words]):
            return [words]
        case ast.Tuple(elts=[ast.Attribute(value=ast.Name(id="RiskDegree")), words]):
            return [words]
    return []


def _toolkits() -> Iterator[tuple[Text, str]]:
    """Yield the titles of the built-in toolkits, and the categories of tools that belong to none."""
    for tool in (*builtin_tools(), *search_of(ToolRegistry())):
        yield Text(tool.toolkit or tool.spec.category.capitalize()), "tools.catalog"
    yield Text(ToolSpec.model_fields["category"].default.capitalize()), "tools.spec"


def _text_of(call: ast.Call, where: str) -> Text | None:
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    if name not in {"tr", "tr_count"}:
        return None
    words = call.args[1:] if name == "tr_count" else call.args
    written = [node.value for node in words if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    if len(written) != len(words):
        raise NotWrittenOutError(f"{where}:{call.lineno}: {name} needs words that are written out")
    if name == "tr_count":
        return Text(written[1], counted=True)
    return Text(written[0], written[1] if len(written) > 1 else "")


def _strings(table: object) -> Iterator[str]:
    if isinstance(table, Enum):
        return  # A kind beside the words is none of them.
    if isinstance(table, str):
        yield table
    elif isinstance(table, Mapping):
        for value in table.values():
            yield from _strings(value)
    elif isinstance(table, (tuple, list)):
        for value in table:
            yield from _strings(value)


def read(path: Path) -> dict[Text, tuple[str, ...]]:
    """Return what a language says, one form for each grammatical number; () for what is unfinished."""
    if not path.stat().st_size:
        return {}
    said = {}
    for context in ET.parse(path).getroot().iter("context"):  # noqa: S314 -- our own file
        name = context.findtext("name", "")
        for message in context.iter("message"):
            counted = message.get("numerus") == "yes"
            text = Text(message.findtext("source", ""), message.findtext("comment", ""), counted, name)
            translation = message.find("translation")
            forms: tuple[str, ...] = ()
            if translation is not None and translation.get("type") is None:
                forms = tuple(one.text or "" for one in translation.iter("numerusform")) or (translation.text or "",)
            said[text] = forms
    return said


def written(language: str, texts: Mapping[Text, set[str]], said: Mapping[Text, tuple[str, ...]]) -> str:
    """Return the file of a language, sorted by module and words, so that two changes seldom touch the same line."""
    root = ET.Element("TS", version="2.1", language=language, sourcelanguage="en")
    contexts = {name: ET.SubElement(root, "context") for name in (CONTEXT, OF_TOOLS)}
    for name, context in contexts.items():
        ET.SubElement(context, "name").text = name
    for text, modules in sorted(texts.items(), key=lambda item: (min(item[1]), item[0])):
        message = ET.SubElement(contexts[text.context], "message", {"numerus": "yes"} if text.counted else {})
        ET.SubElement(message, "location", filename=f"../../{min(modules)}")
        ET.SubElement(message, "source").text = text.source
        if text.meaning:
            ET.SubElement(message, "comment").text = text.meaning
        forms = said.get(text, ())
        translation = ET.SubElement(message, "translation", {} if forms else {"type": "unfinished"})
        if text.counted:
            for form in forms or ("", ""):
                ET.SubElement(translation, "numerusform").text = form
        else:
            translation.text = forms[0] if forms else ""
    ET.indent(root, " ")
    return f'<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n{ET.tostring(root, encoding="unicode")}\n'


def faults(language: str, texts: Mapping[Text, set[str]], said: Mapping[Text, tuple[str, ...]]) -> Iterator[str]:
    """Tell what a language lacks, and what it has that the window does not say."""
    for text in texts:
        if text.counted and text._replace(counted=False) in texts:
            yield f"{language}: {text.source!r} is said with a count and without one; Qt keeps one of the two"
        forms = said.get(text, ())
        if not forms or not all(forms):
            yield f"{language}: nothing is said for {text.source!r} ({min(texts[text])})"
            continue
        for form in forms:
            # What is said of one need not name the count.
            if (wrong := _places(form) ^ _places(text.source)) - ({"count", "count:,"} if text.counted else set()):
                yield f"{language}: {form!r} and {text.source!r} differ in {', '.join(sorted(wrong))}"
    for text in said.keys() - texts.keys():
        yield f"{language}: the window does not say {text.source!r}"


def _places(text: str) -> set[str]:
    """Return the values that a text has places for, each with its format."""
    try:
        parts = list(Formatter().parse(text))
    except ValueError:
        # A text without values may have any braces.
        return set()
    return {f"{name}{f':{form}' if form else ''}" for _, name, form, _ in parts if name is not None}


def compiled(path: Path) -> bytes:
    """Return the words of a language as the program reads them."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder, "words.qm")
        command = ["pyside6-lrelease", "-silent", "-nounfinished", str(path), "-qm", str(target)]
        subprocess.run([str(Path(sys.executable).with_name(command[0])), *command[1:]], check=True)
        return target.read_bytes()


def main() -> int:
    """Write the files of all languages, or check them.

    Returns:
        The exit code: 1 when a check found something.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, tell what is wrong")
    check: bool = parser.parse_args().check
    texts = collected()
    problems: list[str] = []
    recognised = FOLDER / PATTERNS
    if not check:
        recognised.write_text(patterns(texts), encoding="utf-8", newline="\n")
    elif patterns(texts) != recognised.read_text(encoding="utf-8"):
        problems.append(f"{PATTERNS}: what is collected is another's; run `make translations`")
    for path in sorted(FOLDER.glob("*.ts")):
        said = read(path)
        problems += faults(path.stem, texts, said)
        if not check:
            path.write_text(written(path.stem, texts, said), encoding="utf-8", newline="\n")
            path.with_suffix(".qm").write_bytes(compiled(path))
        elif compiled(path) != path.with_suffix(".qm").read_bytes():
            problems.append(f"{path.stem}: what is compiled is another's; run `make translations`")
    for problem in problems:
        print(problem)
    of_tools = sum(text.context == OF_TOOLS for text in texts)
    print(f"{len(texts)} texts, {of_tools} of them sentences of the framework, {len(problems)} problems")
    return 1 if check and problems else 0


if __name__ == "__main__":
    sys.exit(main())
