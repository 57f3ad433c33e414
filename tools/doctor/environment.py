"""Look at what the program runs on: Python, Qt, the display, other programs, optional libraries."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tools.doctor.diagnosis import Diagnosis, Grade
from tools.extras import EXTRAS, how_to_install, missing_libraries

if TYPE_CHECKING:
    from tools.tool import Tool

OLDEST_PYTHON: Final = (3, 11)
NEWEST_PYTHON: Final = (3, 13)
OLDEST_QT: Final = (6, 8)
BROKEN_QT: Final = (6, 12)
"""From here on PySide6 damages the reference count of `None` on Python 3.11, and the window ends after some minutes."""

OPTIONAL_PROGRAMS: Final = ("git", "ffprobe", "tesseract")
"""The programs that built-in tools start, by the name that stands in `needs`."""

_PACKAGE_OF_PROGRAM: Final = {"git": "git", "ffprobe": "ffmpeg", "tesseract": "tesseract-ocr"}
_PACKAGE_OF_LIBRARY: Final = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libwayland-egl.so.1": "libwayland-egl1",
}
"""The packages of Debian and Ubuntu; others call them nearly the same."""

_LDD_S: Final = 10.0
_MISSING: Final = re.compile(r"^\s*(\S+) => not found", re.MULTILINE)
_SCREEN: Final = re.compile(r"(?:unix)?:(\d+)(?:\.\d+)?")


def python_checked(running: tuple[int, ...] = sys.version_info[:3]) -> Iterator[Diagnosis]:
    """Look at the version of Python."""
    text = ".".join(map(str, running))
    if OLDEST_PYTHON <= running[:2] <= NEWEST_PYTHON:
        yield Diagnosis("Python", Grade.OK, f"{text} ({sys.executable})")
        return
    asked = "this program is tried with Python 3.11, 3.12 and 3.13"
    grade = Grade.WARNING if running[:2] > NEWEST_PYTHON else Grade.PROBLEM
    yield Diagnosis("Python", grade, f"{text}, but {asked}", "Install it in an environment of one of these")


def qt_checked(running: tuple[int, ...] = sys.version_info[:3], found: str | None = None) -> Iterator[Diagnosis]:
    """Look at the version of PySide6, which is not imported.

    Args:
        running: The version of Python.
        found: The version of PySide6; None looks for it.
    """
    try:
        text = found if found is not None else version("PySide6-Essentials")
    except PackageNotFoundError:
        remedy = 'Install it with: python -m pip install "PySide6-Essentials>=6.8,<6.12"'
        if getattr(sys, "frozen", False):
            yield Diagnosis("PySide6", Grade.OK, "part of this build")
        else:
            yield Diagnosis("PySide6", Grade.PROBLEM, "not installed, so no window opens", remedy)
        return
    numbers = tuple(int(part) for part in re.findall(r"\d+", text)[:3])
    remedy = 'Install another one with: python -m pip install "PySide6-Essentials>=6.8,<6.12" "shiboken6>=6.8,<6.12"'
    if numbers[:2] < OLDEST_QT:
        yield Diagnosis("PySide6", Grade.PROBLEM, f"{text}, but the window needs 6.8 or newer", remedy)
    elif numbers[:2] >= BROKEN_QT and running[:2] < (3, 12):
        why = f"{text} ends the window after some minutes on Python 3.11"
        yield Diagnosis("PySide6", Grade.PROBLEM, why, remedy)
    else:
        yield Diagnosis("PySide6", Grade.OK, text)


def display_checked(environ: Mapping[str, str] = os.environ) -> Iterator[Diagnosis]:
    """Look for a display, and for the system libraries that Qt needs for it."""
    if sys.platform != "linux":
        return
    chosen = environ.get("QT_QPA_PLATFORM", "").partition(";")[0].partition(":")[0]
    plugin = chosen or ("wayland" if environ.get("WAYLAND_DISPLAY") and not environ.get("DISPLAY") else "xcb")
    yield from _libraries_checked(plugin)
    if chosen in {"offscreen", "minimal"}:
        yield Diagnosis("Display", Grade.OK, f"none is used (QT_QPA_PLATFORM is {chosen})")
        return
    display, wayland = environ.get("DISPLAY", ""), environ.get("WAYLAND_DISPLAY", "")
    if not display and not wayland:
        remedy = "Start it from a desktop, or over ssh -X; commands such as tool-console list need no display"
        yield Diagnosis("Display", Grade.WARNING, "none: DISPLAY and WAYLAND_DISPLAY are not set", remedy)
        return
    screen = _SCREEN.fullmatch(display)
    if screen is not None and not wayland and not Path(f"/tmp/.X11-unix/X{screen[1]}").exists():  # noqa: S108 -- X's own
        remedy = "Start the X server, or set DISPLAY to one that runs"
        yield Diagnosis("Display", Grade.PROBLEM, f"nothing answers at DISPLAY={display}", remedy)
    else:
        yield Diagnosis("Display", Grade.OK, wayland or display)


def _libraries_checked(plugin: str) -> Iterator[Diagnosis]:
    spec = find_spec("PySide6")
    ldd = shutil.which("ldd")
    if spec is None or not spec.submodule_search_locations or ldd is None:
        return
    folder = Path(spec.submodule_search_locations[0], "Qt")
    files = [folder / "lib" / "libQt6Gui.so.6", folder / "plugins" / "platforms" / f"libq{plugin}.so"]
    there = [str(file) for file in files if file.is_file()]
    if len(there) < len(files):
        found = f"PySide6 has no platform plugin {plugin!r}"
        yield Diagnosis("Libraries", Grade.PROBLEM, found, "Unset QT_QPA_PLATFORM, or install PySide6 again")
        return
    asked = subprocess.run([ldd, *there], capture_output=True, text=True, timeout=_LDD_S, check=False)
    missing = sorted(set(_MISSING.findall(asked.stdout)))
    if missing:
        packages = " ".join(_PACKAGE_OF_LIBRARY.get(name, name) for name in missing)
        found = f"the system has no {', '.join(missing)}"
        yield Diagnosis("Libraries", Grade.PROBLEM, found, f"Install them, on Debian with: apt-get install {packages}")
    else:
        yield Diagnosis("Libraries", Grade.OK, f"all that Qt needs for {plugin}")


def programs_checked(tools: Iterable[Tool], used: Collection[str]) -> Iterator[Diagnosis]:
    """Look for the programs that built-in tools start.

    Args:
        used: The names of those that were called before.
    """
    tools = tuple(tools)
    for program in OPTIONAL_PROGRAMS:
        place = shutil.which(program)
        if place is not None:
            yield Diagnosis(program, Grade.OK, place)
            continue
        needing = [tool.name for tool in tools if program in tool.spec.needs]
        called = [name for name in needing if name in used]
        remedy = f"Install the package {_PACKAGE_OF_PROGRAM[program]}" if called else ""
        found = f"not installed; {_listed(called or needing)} cannot work without it"
        yield Diagnosis(program, Grade.WARNING if called else Grade.OK, found, remedy)


def extras_checked(tools: Iterable[Tool], used: Collection[str]) -> Iterator[Diagnosis]:
    """Look for the optional libraries of tools.

    Args:
        used: The names of those that were called before.
    """
    tools, absent = tuple(tools), []
    for extra in EXTRAS:
        missing = missing_libraries(extra)
        needing = [tool.name for tool in tools if tool.spec.extra == extra]
        called = [name for name in needing if name in used]
        if missing and called:
            found = f"{_listed(called)} cannot work without {', '.join(library.module for library in missing)}"
            how = how_to_install(extra)
            yield Diagnosis(f"Extra {extra}", Grade.WARNING, found, how[0].upper() + how[1:])
        elif missing:
            absent.append(extra)
    found = f"not installed and not used so far: {', '.join(absent)}" if absent else "all that is in use is there"
    yield Diagnosis("Extras", Grade.OK, found)


def _listed(names: list[str]) -> str:
    if not names:
        return "no tool"
    more = f" and {len(names) - 2} more" if len(names) > 2 else ""  # noqa: PLR2004 -- the two that are named
    return ", ".join(names[:2]) + more
