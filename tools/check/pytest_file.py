"""Write the findings of a check as a file for pytest, whose tests fail until the faults are mended."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from tools.check.findings import CheckFinding

_HEAD = '''"""Calls of {tool} that a check found at fault; each test passes once its fault is mended."""

import json
import subprocess
import sys
from pathlib import Path

CHECK = (sys.executable, "-m", "console", "check", {tool!r}, "--output", "json")
OPTIONS = ("--call-seconds", "{call_s:g}"{plugin})


def findings(scratch: Path, arguments: str) -> list[str]:
    """Make one call in a folder of its own, and return what is wrong with it."""
    words = (*CHECK, *OPTIONS{scratch}, "--arguments", arguments)
    done = subprocess.run(words, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.stdout, done.stderr
    document = json.loads(done.stdout)
    assert document.get("reports"), document
    [report] = document["reports"]
    assert not report["skip"], report["skip"]
    return [found["message"] for found in report["findings"]]
'''

_TEST = """

def test_{name}(tmp_path: Path) -> None:
    # {message}
    arguments = {arguments!r}
    assert findings(tmp_path / "scratch", arguments) == []
"""


def pytest_file(
    findings: Iterable[CheckFinding], *, plugin: Path | None, in_scratch: bool, call_s: float, reaches_out: bool = False
) -> str:
    """Return the text of the file.

    Args:
        findings: Of one tool, at least one.
        plugin: The plugin file that declares the tool; None when the program knows it without.
        in_scratch: Whether the tool changes things, so that each test gives it a folder.
        call_s: Seconds after which a call counts as one that does not end.
        reaches_out: Whether the tool reaches beyond this computer.
    """
    found = list(findings)
    further = "" if plugin is None else f', "--plugin", {str(plugin.absolute())!r}'
    further += ', "--open-world"' if reaches_out else ""
    scratch = ', "--scratch", str(scratch)' if in_scratch else ""
    text = _HEAD.format(tool=found[0].tool, plugin=further, scratch=scratch, call_s=call_s)
    known: Counter[str] = Counter()
    for finding in found:
        name = re.sub(r"\W+", "_", f"{finding.tool}_{finding.fault}_{finding.error}".strip("_").casefold())
        known[name] += 1
        number = f"_{known[name]}" if known[name] > 1 else ""
        arguments = json.dumps(dict(finding.arguments), sort_keys=True)
        text += _TEST.format(name=f"{name}{number}", message=finding.message, arguments=arguments)
    return text
