"""How long a start takes, of the command line and of the window beside a bare one; what an idle window takes.

Run with `python -m tests.benchmarks.bench_start`. Each start is a process of its own, several times; the best counts,
because other programs can only make it longer. The processor's time stands beside the clock's for the same reason.

The window can be used when letters, typed into the filter as soon as the tree was painted with the built-in tools, have
narrowed them. Then its first page is made and painted. What a person chooses by then opens when the program behind the
window is loaded; that moment is `ready`.
"""

from __future__ import annotations

import gc
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final, NamedTuple

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

ROUNDS: Final = 7
_ROOT: Final = Path(__file__).parents[2]
_FONTS: Final = _ROOT / "resources" / "fonts"
_BUILT: Final = _ROOT / "dist" / "tool-console" / "tool-console"
_BARE: Final = _ROOT / "build" / "bare_window"
"""Where the bare window is built as a program."""
TIMES_BARE: Final = 1.5
"""How many times what a bare window of Qt's takes the window may take until it can be used."""


class Cost(NamedTuple):
    """What a process took.

    Attributes:
        wall_s: Seconds by the clock.
        processor_s: Seconds of the processor, of user and system.
    """

    wall_s: float
    processor_s: float


def cost_of(*words: str) -> Cost:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    subprocess.run([sys.executable, *words], check=True, stdout=subprocess.DEVNULL)
    wall_s = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Cost(wall_s, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def report(title: str, words: tuple[str, ...], target_s: float) -> None:
    costs = [cost_of(*words) for _ in range(ROUNDS)]
    wall_s = min(cost.wall_s for cost in costs)
    processor_s = min(cost.processor_s for cost in costs)
    verdict = (
        "" if not target_s else f"  {'within' if processor_s <= target_s else 'OVER'} {target_s:.2f} s of processor"
    )
    print(f"{title:<44} {wall_s * 1000:7.0f} ms, processor {processor_s * 1000:6.0f} ms{verdict}", flush=True)


def moments_of(mode: str) -> list[list[float]]:
    """Return what a window says of its start, round by round."""
    rounds: list[list[float]] = []
    for _ in range(ROUNDS):
        words = [sys.executable, "-m", "tests.benchmarks.bench_start", mode, str(time.time())]
        done = subprocess.run(words, check=True, capture_output=True, text=True)
        rounds.append([float(word) for word in done.stdout.split()])
    return rounds


def report_window() -> None:
    """Print when the window can be used since its process began, beside a bare one."""
    bare = [min(column) for column in zip(*moments_of("bare"), strict=True)]
    best = [min(column) for column in zip(*moments_of("window"), strict=True)]
    titles = (
        "window painted",
        "window usable: tools shown, filter types",
        "window filled: first page and calls painted",
        "window ready: pages loaded as well",
    )
    for title, wall_s, processor_s in (
        ("bare window of Qt's painted", *bare),
        *((title, *best[2 * place : 2 * place + 2]) for place, title in enumerate(titles)),
    ):
        times = f"  {wall_s / bare[0]:.1f} times the bare one, processor {processor_s / bare[1]:.1f} times"
        print(f"{title:<44} {wall_s * 1000:7.0f} ms, processor {processor_s * 1000:6.0f} ms{times}", flush=True)
    verdict = "within" if best[2] <= TIMES_BARE * bare[0] else "OVER"
    print(f"{'usable, of a bare window':<44} {best[2] / bare[0]:7.2f} times{'':21}{verdict} {TIMES_BARE:.1f} times")
    print(f"{'the window thread worked until it was ready':<44} {best[-1] * 1000:7.0f} ms")


def built_cost_of(*words: str | Path) -> Cost:
    """Return what a built program took until its window was painted, as Qt's log tells; then it is killed."""
    with tempfile.TemporaryDirectory() as home:
        places = {f"XDG_{name}_HOME": home for name in ("CONFIG", "DATA", "CACHE", "STATE")}
        environment = {**os.environ, **places, "QT_LOGGING_RULES": "qt.widgets.painting.debug=true"}
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        began = time.perf_counter()
        with subprocess.Popen(words, stderr=subprocess.PIPE, text=True, env=environment) as process:
            assert process.stderr is not None
            is_painted = any("Flushing" in line for line in process.stderr)
            wall_s = time.perf_counter() - began
            process.kill()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if not is_painted:
        raise SystemExit(f"{words[0]} ended without a window")
    return Cost(wall_s, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def report_built() -> None:
    """Print when the window of the built program is painted, beside a bare one that is built the same way."""
    if not _BUILT.exists():
        print("built window                                 not measured: `make folder` builds it")
        return
    bare = _BARE / "bare_window"
    if not bare.exists():
        build = (_ROOT / ".venv/bin/python", "-m", "PyInstaller", "--log-level", "ERROR", "--distpath", _BARE.parent)
        places = ("--workpath", _BARE.parent / "pyinstaller", "--specpath", _BARE.parent / "pyinstaller")
        subprocess.run([*build, *places, _ROOT / "tests/benchmarks/bare_window.py"], check=True)
    pairs = [(built_cost_of(bare, _FONTS), built_cost_of(_BUILT)) for _ in range(ROUNDS)]
    costs = [Cost(*(min(column) for column in zip(*rounds, strict=True))) for rounds in zip(*pairs, strict=True)]
    for title, cost in zip(("bare window of Qt's, built, painted", "window, built, painted"), costs, strict=True):
        times = f"  {cost.wall_s / costs[0].wall_s:.1f} times the bare one"
        shares = f"processor {cost.processor_s / costs[0].processor_s:.1f} times"
        print(f"{title:<44} {cost.wall_s * 1000:7.0f} ms, processor {cost.processor_s * 1000:6.0f} ms{times}, {shares}")


def report_idle() -> None:
    """Print what the open window takes when nobody does anything."""
    words = [sys.executable, "-m", "tests.benchmarks.bench_start", "idle", str(time.time())]
    done = subprocess.run(words, check=True, capture_output=True, text=True)
    share, switches, resident = map(float, done.stdout.split()[-3:])
    print(f"{'processor of the idle window':<44} {share * 100:7.2f} %, {switches:.0f} wake-ups a second")
    print(f"{'memory of the idle window':<44} {resident / 2**20:7.0f} MiB")


def open_bare(began: float) -> None:
    """Open a main window of Qt's with our fonts, print when it was painted, and end.

    Args:
        began: When the process was started, as the time of day.
    """
    from PySide6.QtCore import QEvent, QObject, QTimer  # noqa: PLC0415 -- only this process is measured with Qt

    from tests.benchmarks.bare_window import make_window  # noqa: PLC0415 -- as above

    class Watch(QObject):
        """End the loop when the window was painted first."""

        def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802 -- overrides Qt
            if event.type() is QEvent.Type.Paint:
                QTimer.singleShot(0, application.quit)
            return False

    (application, window), watch = make_window(_FONTS), Watch()
    window.installEventFilter(watch)
    window.show()
    application.exec()
    print(time.time() - began, time.process_time())


def main(words: list[str]) -> None:
    if words[:1] == ["bare"]:
        open_bare(float(words[1]))
        return
    if words:
        # The program looks for no garbage while it is imported either, and imports plainly; see `console.__main__`.
        gc.disable()
        from console.responsiveness.plain_import import import_plainly  # noqa: PLC0415 -- as below

        import_plainly()
        from tests.benchmarks.opened_window import open_window  # noqa: PLC0415 -- only this process is measured with it

        open_window(float(words[1]), idle=words[0] == "idle")
        return
    report("python, nothing imported", ("-c", "pass"), 0)
    report("import pydantic", ("-c", "import pydantic; pydantic.BaseModel"), 0)
    report("import tools", ("-c", "import tools"), 0.2)
    report("import tools.cli", ("-c", "import tools.cli"), 0)
    report("tool-console list", ("-m", "console", "list"), 0.35)
    report("tool-console call calculate", ("-m", "console", "call", "calculate", "expression=1+1"), 0.8)
    report_window()
    report_built()
    report_idle()


if __name__ == "__main__":
    main(sys.argv[1:])
