"""How long a start takes: the command line, the window until it is painted, and until its tools are listed.

Run with `python -m tests.benchmarks.bench_start`. Each start is a process of its own, several times; the best counts,
because other programs can only make it longer. The processor's time stands beside the clock's for the same reason.
"""

from __future__ import annotations

import asyncio
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
HEAVY: Final = (
    "charset_normalizer", "httpx", "jinja2", "jsonschema", "keyring", "pint", "psutil", "pyqtgraph", "ruamel", "rich",
)  # fmt: skip
"""Libraries that a start without a call must not load."""


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
    verdict = "" if not target_s else f"  {'within' if wall_s <= target_s else 'OVER'} {target_s:.1f} s"
    print(f"{title:<44} {wall_s * 1000:7.0f} ms, processor {processor_s * 1000:6.0f} ms{verdict}", flush=True)


def report_window() -> None:
    """Print when the window is painted and when its tools are listed, since the process began."""
    rounds: list[tuple[float, float, float]] = []
    for _ in range(ROUNDS):
        words = [sys.executable, "-m", "tests.benchmarks.bench_start", "window", str(time.time())]
        done = subprocess.run(words, check=True, capture_output=True, text=True)
        painted_s, listed_s, worked_s = map(float, done.stdout.split())
        rounds.append((painted_s, listed_s, worked_s))
    best = [min(column) for column in zip(*rounds, strict=True)]
    for title, seconds, target_s in (("window painted", best[0], 1.0), ("tools listed in the window", best[1], 2.0)):
        verdict = "within" if seconds <= target_s else "OVER"
        print(f"{title:<44} {seconds * 1000:7.0f} ms{'':24}{verdict} {target_s:.1f} s")
    print(f"{'the window thread worked until then':<44} {best[2] * 1000:7.0f} ms")


def open_window(began: float) -> None:
    """Open the real window, print when it was painted and filled, and end.

    Args:
        began: When the process was started, as the time of day.
    """
    from PySide6.QtCore import QEvent, QObject  # noqa: PLC0415 -- only this process is measured with Qt
    from qasync import QEventLoop  # noqa: PLC0415 -- as above

    from console.app.console import Console  # noqa: PLC0415 -- as above
    from console.app.start import make_application  # noqa: PLC0415 -- as above
    from console.preferences import Preferences  # noqa: PLC0415 -- as above
    from console.theme import ThemeController  # noqa: PLC0415 -- as above
    from tools.discovery import PluginList  # noqa: PLC0415 -- as above
    from tools.workbench import Workbench  # noqa: PLC0415 -- as above

    painted: list[float] = []

    class Watch(QObject):
        """Notice when the window was painted first: the event after its paint event."""

        def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802 -- overrides Qt
            if event.type() is QEvent.Type.UpdateRequest and not painted:
                asyncio.get_running_loop().call_soon(self._note)
            return False

        def _note(self) -> None:
            if not painted:
                painted.append(time.time() - began)

    application = make_application()
    theme = ThemeController(application, "light")
    with tempfile.TemporaryDirectory() as home:

        async def live() -> None:
            workbench = Workbench(PluginList(Path(home)), application=Console)
            data = Path(home) / "data"
            console = Console(theme, Preferences(Path(home) / "window.ini"), workbench, Path(home), data=data)
            watch = Watch()
            console.window.installEventFilter(watch)
            loaded, over = asyncio.Event(), asyncio.Event()
            console.loaded.connect(loaded.set)
            console.ended.connect(over.set)
            console.start()
            await loaded.wait()
            listed_s = time.time() - began
            print(painted[0] if painted else listed_s, listed_s, time.thread_time())
            console.end()
            await over.wait()

        with asyncio.Runner(loop_factory=lambda: QEventLoop(application)) as runner:
            runner.run(live())
    sys.stdout.flush()
    os._exit(0)


def report_heavy() -> None:
    """Print which heavy libraries a start loads although it needs none of them."""
    for title, module in (("import tools.cli", "tools.cli"), ("built-in tools", "tools.catalog")):
        code = f"import sys, {module}; print(*({HEAVY!r} & sys.modules.keys()))".replace(repr(HEAVY), repr(set(HEAVY)))
        done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
        print(f"{title + ' loads of the heavy libraries':<44} {done.stdout.strip() or 'none'}")


def main(words: list[str]) -> None:
    if words[:1] == ["window"]:
        open_window(float(words[1]))
        return
    report("python, nothing imported", ("-c", "pass"), 0)
    report("import pydantic", ("-c", "import pydantic; pydantic.BaseModel"), 0)
    report("import tools", ("-c", "import tools"), 0)
    report("import tools.cli", ("-c", "import tools.cli"), 0)
    report("tool-console list", ("-m", "console", "list"), 0.7)
    report("tool-console call calculate", ("-m", "console", "call", "calculate", "expression=1+1"), 0.8)
    report_window()
    report_heavy()


if __name__ == "__main__":
    main(sys.argv[1:])
