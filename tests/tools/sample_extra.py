"""An extra of a library that only tests have: a wheel in a folder, and a place where pip puts it."""

from __future__ import annotations

import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType

import pytest

from tools import extras, spec, tool
from tools.catalog._extras import optional
from tools.extras import EXTRAS, Library, look_again

EXTRA = "samples"
MODULE = "sample_of_an_extra"


@tool(extra=EXTRA, read_only=True)
def read_sample() -> str:
    """Read what the library of the sample extra says."""
    return str(optional(MODULE, EXTRA).WORD)


def put_wheel(folder: Path) -> None:
    """Write the library as a wheel, as pip wants it."""
    folder.mkdir(exist_ok=True)
    info = f"{MODULE}-1.0.dist-info"
    files = {
        f"{MODULE}.py": 'WORD = "installed"\n',
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {MODULE}\nVersion: 1.0\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/RECORD": "".join(
            f"{name},,\n" for name in (f"{MODULE}.py", f"{info}/METADATA", f"{info}/WHEEL", f"{info}/RECORD")
        ),
    }
    with zipfile.ZipFile(folder / f"{MODULE}-1.0-py3-none-any.whl", "w") as wheel:
        for name, text in files.items():
            wheel.writestr(name, text)


@contextmanager
def sample_extra(folder: Path) -> Iterator[Path]:
    """Know the extra, and let pip look for wheels in a folder only, which is still empty.

    Returns:
        The folder of wheels.
    """
    with pytest.MonkeyPatch.context() as patch:
        known = MappingProxyType({**EXTRAS, EXTRA: (Library(MODULE, f"{MODULE}>=1"),)})
        patch.setattr(extras, "EXTRAS", known)
        patch.setattr(spec, "EXTRAS", known)
        wheels, target = folder / "wheels", folder / "libraries"
        for place in (wheels, target):
            place.mkdir()
        patch.setenv("PIP_NO_INDEX", "1")
        patch.setenv("PIP_FIND_LINKS", str(wheels))
        patch.setenv("PIP_TARGET", str(target))
        patch.syspath_prepend(target)
        look_again()
        yield wheels
        sys.modules.pop(MODULE, None)
    look_again()
