"""Run many commands of the command line in one process that was started for all of them."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from console.__main__ import main


class Ended(NamedTuple):
    """How a command ended.

    Attributes:
        code: Its exit code; 1 for an exception that nobody caught, as the interpreter has it.
        stdout: What it printed.
        stderr: What it complained of.
    """

    code: int
    stdout: str
    stderr: str


def run_all(folder: Path, commands: Sequence[tuple[Sequence[str], bytes]], **environment: str) -> list[Ended]:
    """Run commands one after the other in one process; return how each ended.

    Args:
        folder: The folder that they run in; settings and data lie in it as well.
        commands: The words of each, and the bytes on its standard input.
        environment: Further variables.
    """
    places = {
        "TOOL_CONSOLE_DATA": str(folder / "data"), "TOOL_CONSOLE_CONFIG": str(folder / "config"), "HOME": str(folder)
    }  # fmt: skip
    asked = [[[os.fsencode(word).hex() for word in words], given.hex()] for words, given in commands]
    with tempfile.TemporaryDirectory() as scratch:
        answers = Path(scratch, "answers.json")
        done = subprocess.run(
            [sys.executable, "-m", __name__, str(answers)],
            cwd=folder,
            env={**os.environ, **places, "PYTHONPATH": str(Path(__file__).parents[2]), **environment},
            input=json.dumps(asked),
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        ended = [Ended(*answer) for answer in json.loads(answers.read_text("utf-8"))]
    assert len(ended) == len(commands)
    return ended


def _run(words: list[str], given: bytes, folder: Path) -> Ended:
    """Run one command with streams of its own, below those of Python as well as in it."""
    paths = [folder / name for name in ("stdin", "stdout", "stderr")]
    paths[0].write_bytes(given)
    kept = [(os.dup(number), stream) for number, stream in enumerate((sys.stdin, sys.stdout, sys.stderr))]
    for number, path in enumerate(paths):
        opened = os.open(path, os.O_RDONLY if number == 0 else os.O_CREAT | os.O_TRUNC | os.O_WRONLY)
        os.dup2(opened, number)
        os.close(opened)
    # As the interpreter opens them where it starts: in the language of the system.
    sys.stdin, sys.stdout, sys.stderr = (
        io.TextIOWrapper(
            io.FileIO(number, mode, closefd=False), encoding=stream.encoding, errors=stream.errors, line_buffering=True
        )
        for number, (mode, (_, stream)) in enumerate(zip("rww", kept, strict=True))
    )
    try:
        code = _code_of(words)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        for number, (copy, _) in enumerate(kept):
            os.dup2(copy, number)
            os.close(copy)
        sys.stdin, sys.stdout, sys.stderr = (stream for _, stream in kept)
    return Ended(code, *(path.read_text("utf-8", errors="replace") for path in paths[1:]))


def _code_of(words: list[str]) -> int:
    try:
        return main(words)
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    except BaseException:  # noqa: BLE001 -- as the interpreter would end
        traceback.print_exc()
        return 1


def _main(answers: Path) -> None:
    folder = answers.parent
    ended = [
        _run([os.fsdecode(bytes.fromhex(word)) for word in words], bytes.fromhex(given), folder)
        for words, given in json.load(sys.stdin)
    ]
    answers.write_text(json.dumps(ended), "utf-8")


if __name__ == "__main__":
    _main(Path(sys.argv[1]))
