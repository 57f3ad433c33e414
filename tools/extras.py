"""The optional libraries of built-in tools, by the extra of `pyproject.toml` that brings them."""

from __future__ import annotations

import importlib
import sys
from functools import cache
from importlib.util import find_spec
from types import MappingProxyType
from typing import Final, NamedTuple


class Library(NamedTuple):
    """One library of an extra.

    Attributes:
        module: The name it is imported by.
        requirement: What pip is asked for, as `pyproject.toml` says it.
    """

    module: str
    requirement: str


EXTRAS: Final = MappingProxyType(
    {
        "charts": (Library("matplotlib", "matplotlib>=3.10"),),
        "databases": (Library("psycopg", "psycopg[binary]>=3.2"), Library("pymysql", "pymysql>=1.1")),
        "documents": (
            Library("openpyxl", "openpyxl>=3.1.5"),
            Library("pypdf", "pypdf>=6"),
            Library("docx", "python-docx>=1.2"),
        ),
        "duckdb": (Library("duckdb", "duckdb>=1.3"),),
        "images": (Library("PIL", "pillow>=11.2"),),
    }
)
"""The libraries of each extra that a tool may name."""

NOT_IN_A_BUILD: Final = (
    "this build of Tool Console cannot install libraries; run Tool Console from a Python environment that has them"
)
"""What to do where pip is not: the built application brings its own Python and no installer."""


@cache
def _is_installed(module: str) -> bool:
    return find_spec(module) is not None


def missing_libraries(extra: str) -> tuple[Library, ...]:
    """Return the libraries of an extra that are not installed; none for an empty name. Nothing is imported."""
    return tuple(library for library in EXTRAS[extra] if not _is_installed(library.module)) if extra else ()


def look_again() -> None:
    """Find out anew what is installed."""
    importlib.invalidate_caches()
    _is_installed.cache_clear()


def how_to_install(extra: str) -> str:
    """Return what to do to have what is missing of an extra, as the end of a sentence."""
    if getattr(sys, "frozen", False):
        return NOT_IN_A_BUILD
    wanted = " ".join(f'"{library.requirement}"' for library in missing_libraries(extra) or EXTRAS[extra])
    return f"install it with: python -m pip install {wanted}"
