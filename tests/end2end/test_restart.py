"""*Restart now* in the settings: the program starts again in its own place, and what was open comes back."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

PLUGIN = """
from tools import tool

@tool()
def greet(name: str) -> str:
    "Greet a person."
    return f"Hello {name}"
"""

PROBE = """
import json, os, sys
from console import language
from console.app import console as app
from console.theme import theme_of

TOLD = os.environ["TOLD"]

class Probe(app.Console):
    def start(self):
        self.loaded.connect(self.begin)
        super().start()

    def begin(self):
        again = os.path.exists(TOLD)
        if not again:
            self.open_tools.open("greet")
            self.documents.page("greet").document.replace({"name": "Ada"})
            self.window.rail.choose("settings")
        rows = self.settings.view.row_by_key
        with open(TOLD, "a", encoding="utf-8") as told:
            print(json.dumps({
                "process": os.getpid(),
                "words": sys.argv[1:],
                "language": language.language(),
                "row": theme_of(self.window).size.row_table,
                "dots": self.window.devicePixelRatioF(),
                "project": str(self._project.folder),
                "tabs": self.open_tools.names,
                "arguments": self.documents.page("greet").document.value(),
                "settings": self.settings.widget.isVisible(),
                "offered": [key for key, row in rows.items() if row.restart.isVisible()],
            }), file=told)
        if again:
            self.end()
            return
        for key, place in (("language", 2), ("density", 1)):
            rows[key].control.select(place)
            rows[key].changed.emit(key, rows[key].value)
        rows["scale"].changed.emit("scale", "150")
        assert [key for key, row in rows.items() if row.restart.isVisible()] == ["language", "density", "scale"]
        rows["scale"].restart.click()

app.Console = Probe
from console.__main__ import main
sys.exit(main())
"""


def test_the_program_starts_again_with_what_was_chosen_and_what_was_open(tmp_path: Path) -> None:
    places = {f"XDG_{name}_HOME": str(tmp_path / name.lower()) for name in ("CONFIG", "DATA", "CACHE", "STATE")}
    scratch, project, told = tmp_path / "tmp", tmp_path / "work", tmp_path / "told.jsonl"
    for folder in (scratch, project):
        folder.mkdir()
    (tmp_path / "greet.py").write_text(PLUGIN, encoding="utf-8")
    environment = {
        **os.environ,
        **places,
        "PYTHONPATH": str(Path(__file__).parents[2]),
        "QT_QPA_PLATFORM": "offscreen",
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "TMPDIR": str(scratch),
        "TOLD": str(told),
    }
    environment.pop("TOOL_CONSOLE_DATA", None)

    ended = subprocess.run(
        [sys.executable, "-c", PROBE, "--project", "work", "--plugin", "greet.py", "--language", "en"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert (ended.returncode, ended.stderr) == (0, "")
    before, after = map(json.loads, told.read_text(encoding="utf-8").splitlines())
    assert (before["language"], before["offered"]) == ("en", [])
    assert (after["language"], after["offered"]) == ("de", [])
    assert after["row"] < before["row"]
    assert after["dots"] == 1.5 * before["dots"]
    if sys.platform != "win32":
        assert after["process"] == before["process"]
    assert after["words"] == ["--plugin", "greet.py"]
    for kept in ("project", "tabs", "arguments"):
        assert after[kept] == before[kept]
    assert (after["project"], after["tabs"], after["arguments"]) == (str(project), ["greet"], {"name": "Ada"})
    assert after["settings"]
    assert list(scratch.iterdir()) == []
