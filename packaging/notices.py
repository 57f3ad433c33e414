"""Write THIRD-PARTY-NOTICES.md, the licences of everything that the application ships, and a help page that lists them.

`make notices` runs this over the packages installed in `.venv`. A test checks that nothing that is shipped is missing.
"""

from __future__ import annotations

import re
import sysconfig
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

HERE = Path(__file__).parent
ROOT = HERE.parent
PAGE = HERE / "THIRD-PARTY-NOTICES.md"
HELP_PAGE = ROOT / "resources" / "help" / "libraries.md"
LICENCE_FILE = re.compile(r"(licen[cs]e|copying|notice|authors)[^/]*$", re.IGNORECASE)

# The lock serves these; a package that only one of them needs is shipped there only.
_SYSTEMS = (("linux", "Linux", "posix"), ("darwin", "Darwin", "posix"), ("win32", "Windows", "nt"))
_PYTHONS = ("3.11", "3.12", "3.13")

# The extras that the built application brings, as nothing can be installed into it. The others weigh too much for its
# 240 MB: DuckDB 69, the charts 33, the databases 11.
_EXTRAS_SHIPPED = frozenset({"documents", "images"})

# Packages for other systems or Pythons than the one that writes the page: name to licence.
_ELSEWHERE = {
    "backports-tarfile": "MIT",
    "importlib-metadata": "Apache-2.0",
    "lazy-importer": "Apache-2.0",
    "pywin32": "PSF-2.0",
    "pywin32-ctypes": "BSD-3-Clause",
    "zipp": "MIT",
}

_INTRODUCTION = """\
# Third-party notices

Tool Console is under the MIT licence (see LICENSE). The application that `make dist` builds also contains the works
below, each under its own terms. This page is written by `make notices`.

Qt and PySide6 are used under the GNU Lesser General Public License, version 3. They are shipped unmodified as shared
libraries in a folder of their own (`_internal/PySide6`), so that you can replace them by versions of your own. Their
source code is published by the Qt Project.
"""

_HELP_INTRODUCTION = """\
# Works of others

Tool Console is made with these. The built application has the text of each licence in `THIRD-PARTY-NOTICES.md`, and
those of the libraries of Linux that it brings in the folder `notices`; an installed package has its own with it.
"""


def _is_needed(requirement: Requirement, extras: frozenset[str]) -> bool:
    """Say whether some supported system and Python needs it of a package that is wanted with these extras."""
    marker = requirement.marker
    return marker is None or any(
        marker.evaluate(
            {
                "extra": extra,
                "sys_platform": platform,
                "platform_system": system,
                "os_name": os_name,
                "python_version": version,
                "python_full_version": f"{version}.0",
            }
        )
        for extra in extras | {""}
        for platform, system, os_name in _SYSTEMS
        for version in _PYTHONS
    )


def shipped_distributions() -> dict[str, Distribution | None]:
    """Return what the application ships, by canonical name; None for what this system does not install."""
    found: dict[str, Distribution | None] = {}
    seen: set[tuple[str, frozenset[str]]] = set()
    waiting: list[tuple[str, frozenset[str]]] = [("tool-console", _EXTRAS_SHIPPED)]
    while waiting:
        name, extras = wanted = waiting.pop()
        if wanted in seen:
            continue
        seen.add(wanted)
        try:
            package = found[name] = distribution(name)
        except PackageNotFoundError:
            found[name] = None
            continue
        requirements = map(Requirement, package.requires or [])
        waiting += [
            (canonicalize_name(needed.name), frozenset(needed.extras))
            for needed in requirements
            if _is_needed(needed, extras)
        ]
    del found["tool-console"]
    return dict(sorted(found.items()))


def _licence_name(package: Distribution) -> str:
    classifiers = package.metadata.get_all("Classifier", [])
    fields = (*package.metadata.get_all("License-Expression", []), *package.metadata.get_all("License", []))
    declared = next((field for field in fields if field.strip()), "")
    classified = [text.rpartition(" :: ")[2] for text in classifiers if text.startswith("License")]
    return declared.strip().splitlines()[0] if declared else ", ".join(classified)


def _licence_texts(package: Distribution) -> list[str]:
    paths = [path for path in package.files or [] if LICENCE_FILE.search(path.as_posix()) and path.suffix != ".py"]
    # What a package contains of others has its licences below the package's own.
    return [
        Path(str(package.locate_file(path))).read_text(encoding="utf-8", errors="replace") for path in sorted(paths)
    ]


def _section(title: str, licence: str, texts: list[str]) -> str:
    blocks = "\n".join(f"```text\n{_plain(text)}\n```\n" for text in dict.fromkeys(texts))
    return f"\n## {title}\n\nLicence: {licence}\n\n{blocks}"


def _plain(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.replace("\f", "\n").strip("\n").splitlines()).replace("```", "'''")


def _other_works() -> list[tuple[str, str, list[str]]]:
    """Return what is shipped besides packages: title, licence, texts."""

    def text(*parts: str) -> str:
        return ROOT.joinpath(*parts).read_text(encoding="utf-8")

    python = Path(sysconfig.get_path("stdlib")) / "LICENSE.txt"
    python_texts = [python.read_text(encoding="utf-8")] if python.exists() else []
    return [
        ("Python", "PSF-2.0, with the terms of the libraries it contains", python_texts),
        ("PyInstaller's loader", "GPL-2.0-or-later with an exception that lets it start programs of any licence", []),
        ("Inter (typeface)", "OFL-1.1", [text("resources", "fonts", "Inter-OFL.txt")]),
        ("JetBrains Mono (typeface)", "OFL-1.1", [text("resources", "fonts", "JetBrainsMono-OFL.txt")]),
        ("Lucide (icons)", "ISC, parts MIT", [text("resources", "icons", "LICENSE.txt")]),
        ("gitleaks (rules that find secrets)", "MIT", [text("resources", "secrets", "LICENSE.txt")]),
        ("ICU, which Qt uses, with less data", "Unicode-DFS-2016", [text("packaging", "licences", "ICU.txt")]),
        (
            "The GNU licences that Qt is under",
            "LGPL-3.0 and GPL-3.0",
            [text("packaging", "licences", "LGPL-3.0.txt"), text("packaging", "licences", "GPL-3.0.txt")],
        ),
    ]


def works() -> list[tuple[str, str, list[str]]]:
    """Return everything that is shipped: title, licence, texts."""
    found = _other_works()
    for name, package in shipped_distributions().items():
        if package is None:
            found.append((name, _ELSEWHERE[name], []))
        else:
            found.append((name, _licence_name(package), _licence_texts(package)))
    return found


def help_page(shipped: list[tuple[str, str, list[str]]]) -> str:
    """Return the page of the help that lists what is shipped."""
    rows = "".join(f"| {title} | {licence} |\n" for title, licence, _ in shipped)
    return f"{_HELP_INTRODUCTION}\n| work | licence |\n|---|---|\n{rows}"


if __name__ == "__main__":
    shipped = works()
    PAGE.write_text(_INTRODUCTION + "".join(_section(*work) for work in shipped), encoding="utf-8")
    HELP_PAGE.write_text(help_page(shipped), encoding="utf-8")
    print(f"wrote {PAGE.relative_to(ROOT)} and {HELP_PAGE.relative_to(ROOT)}")
