"""Run the benchmarks one after another, each in a process of its own: `python -m tests.benchmarks [WORD...]`.

A benchmark is a module `bench_*.py` here that prints its numbers and ratios. Words choose those whose names hold one.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
# The offscreen platform says so of each window, hundreds of times, between the numbers.
REMARK = "This plugin does not support "


def main(words: list[str]) -> int:
    """Run the chosen benchmarks and return 1 if one of them broke."""
    names = sorted(path.stem for path in HERE.glob("bench_*.py"))
    chosen = [name for name in names if not words or any(word in name for word in words)]
    if not chosen:
        print(f"expected words found in {', '.join(names)}, got {' '.join(words)}", file=sys.stderr)
        return 2
    broken = []
    for name in chosen:
        print(f"\n== {name.removeprefix('bench_')}", flush=True)
        command = [sys.executable, "-m", f"tests.benchmarks.{name}"]
        with subprocess.Popen(command, cwd=HERE.parent.parent, stderr=subprocess.PIPE, text=True) as running:
            for line in running.stderr or ():
                if not line.startswith(REMARK):
                    sys.stderr.write(line)
        if running.returncode:
            broken.append(name)
    if broken:
        print(f"broken: {', '.join(broken)}", file=sys.stderr)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
