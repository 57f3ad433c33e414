"""Packages that lock files and Python environments hold, read offline."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from tools.catalog._bounds import Watcher
from tools.catalog._documents import file_text
from tools.catalog._paths import refusals, shown
from tools.context import ToolContext
from tools.errors import ToolFailure

_REQUIREMENT: Final = re.compile(r"^([A-Za-z0-9][A-Za-z0-9._-]*)(?:\[[^\]]*\])?\s*===?\s*([^\s;\\#]+)")
_REQUIRED_NAME: Final = re.compile(r"^[A-Za-z0-9][A-Za-z0-9._-]*")
_DASHES: Final = re.compile(r"[-_.]+")
_PNPM: Final = re.compile(r"^/?((?:@[^/@]+/)?[^@/(]+)[@/]([^(@/]+)")
_GO_SUM: Final = re.compile(r"^(\S+) (v[^\s/]+) h1:")
_GO_REQUIRE: Final = re.compile(r"^(?:require\s+)?([^\s()]+\.[^\s()]+) (v\S+)(\s*// indirect)?\s*$")
_ENVIRONMENTS: Final = (".venv", "venv", "env", ".env")
_SITE_PACKAGES: Final = ("lib/python3*/site-packages", "Lib/site-packages")
_CLASSIFIER: Final = "License :: "


class LockedPackage(NamedTuple):
    """A package that a project uses.

    Attributes:
        version: Its version; empty when that is not said.
        needs: The names of the packages that it needs itself, as far as that is said.
        direct: Whether the project itself asks for it; None when that is not said.
        license: Its licence; empty when that is not said.
        registry: Where it comes from, as OSV calls it; empty for what comes from elsewhere, such as a folder.
    """

    name: str
    version: str
    needs: tuple[str, ...] = ()
    direct: bool | None = None
    license: str = ""
    registry: str = ""


def same_package(name: str) -> str:
    """Return a name as package indexes compare it."""
    return name.lower() if name.startswith("@") or "/" in name else _DASHES.sub("-", name).lower()


def _requirements(text: str, _: Path) -> Iterator[LockedPackage]:
    for line in text.splitlines():
        if found := _REQUIREMENT.match(line.strip()):
            yield LockedPackage(found[1], found[2], registry="PyPI")


def _toml_packages(text: str, path: Path) -> Iterator[LockedPackage]:
    """Yield the packages of poetry.lock, uv.lock, pdm.lock, pylock.toml and Cargo.lock."""
    document = tomllib.loads(text)
    found = document.get("package", document.get("packages", []))
    for package in found if isinstance(found, list) else []:
        if isinstance(package, dict) and isinstance(package.get("name"), str):
            needs = tuple(dict.fromkeys(_toml_needs(package.get("dependencies", ()))))
            # The project itself is in some of them, without an origin.
            source = package.get("source")
            if isinstance(source, dict) and ("virtual" in source or "editable" in source):
                continue
            registry = _registry_of(source, in_cargo=path.name.lower() == "cargo.lock")
            yield LockedPackage(package["name"], str(package.get("version", "")), needs, registry=registry)


def _registry_of(source: object, *, in_cargo: bool) -> str:
    if in_cargo:
        return "crates.io" if isinstance(source, str) and source.startswith(("registry+", "sparse+")) else ""
    if not isinstance(source, dict):
        return "PyPI"
    # Poetry names the kind, uv has it as a key.
    kind = source.get("type") or next(iter(source), "registry")
    return "PyPI" if kind in {"legacy", "registry"} else ""


def _toml_needs(given: object) -> Iterator[str]:
    for item in given if isinstance(given, list | dict) else ():
        if isinstance(item, str):
            found = _REQUIRED_NAME.match(item)
            if found is not None:
                yield found[0]
        elif isinstance(item, dict) and isinstance(item.get("name"), str):
            yield item["name"]


def _package_lock(text: str, _: Path) -> Iterator[LockedPackage]:
    document = json.loads(text)
    packages = document.get("packages")
    if isinstance(packages, dict):
        root = packages.get("", {})
        wanted = {*root.get("dependencies", {}), *root.get("devDependencies", {})}
        for place, facts in packages.items():
            if place and not facts.get("link"):
                name = facts.get("name") or place.rpartition("node_modules/")[2]
                needs = tuple(facts.get("dependencies", {}))
                direct = name in wanted and place.count("node_modules/") == 1
                version, license_name = str(facts.get("version", "")), str(facts.get("license", ""))
                yield LockedPackage(name, version, needs, direct, license_name, "npm")
        return
    # Files of npm before 7, where packages stand inside those that need them.
    waiting = [document]
    while waiting:
        for name, facts in waiting.pop().get("dependencies", {}).items():
            yield LockedPackage(name, str(facts.get("version", "")), tuple(facts.get("requires", {})), registry="npm")
            waiting.append(facts)


def _pipfile(text: str, _: Path) -> Iterator[LockedPackage]:
    document = json.loads(text)
    for group in ("default", "develop"):
        for name, facts in document.get(group, {}).items():
            yield LockedPackage(name, str(facts.get("version", "")).lstrip("="), registry="PyPI")


def _composer(text: str, _: Path) -> Iterator[LockedPackage]:
    document = json.loads(text)
    for facts in (*document.get("packages", []), *document.get("packages-dev", [])):
        needs = tuple(name for name in facts.get("require", {}) if "/" in name)
        license_names = " OR ".join(facts.get("license", []))
        yield LockedPackage(facts["name"], str(facts.get("version", "")), needs, None, license_names, "Packagist")


def _pnpm(text: str, _: Path) -> Iterator[LockedPackage]:
    from ruamel.yaml import YAML  # noqa: PLC0415 -- few projects have one

    document = YAML(typ="safe", pure=True).load(text)
    for key in document.get("packages", {}):
        if found := _PNPM.match(str(key)):
            yield LockedPackage(found[1], found[2], registry="npm")


def _go_sum(text: str, path: Path) -> Iterator[LockedPackage]:
    direct: dict[str, bool] = {}
    mod = path.with_name("go.mod")
    if mod.is_file():
        for line in mod.read_text(encoding="utf-8", errors="replace").splitlines():
            if found := _GO_REQUIRE.match(line.strip()):
                direct[found[1]] = not found[3]
    for line in text.splitlines():
        if found := _GO_SUM.match(line):
            is_direct = direct.get(found[1], False) if direct else None
            yield LockedPackage(found[1], found[2], (), is_direct, registry="Go")


_READERS: Final[Mapping[str, Callable[[str, Path], Iterable[LockedPackage]]]] = {
    "uv.lock": _toml_packages,
    "poetry.lock": _toml_packages,
    "pdm.lock": _toml_packages,
    "pylock.toml": _toml_packages,
    "Pipfile.lock": _pipfile,
    "requirements.lock": _requirements,
    "requirements.txt": _requirements,
    "package-lock.json": _package_lock,
    "npm-shrinkwrap.json": _package_lock,
    "pnpm-lock.yaml": _pnpm,
    "Cargo.lock": _toml_packages,
    "go.sum": _go_sum,
    "composer.lock": _composer,
}


def lock_files(folder: Path) -> list[Path]:
    """Return the lock files of a folder that can be read."""
    return [folder / name for name in _READERS if (folder / name).is_file()]


def read_lock_file(path: Path, ctx: ToolContext) -> list[LockedPackage]:
    """Return the packages of a lock file, told by its name.

    Raises:
        ToolFailure: It has another name, or is broken.
    """
    by_name = {known.lower(): reader for known, reader in _READERS.items()}
    reader = by_name.get(path.name.lower()) or (_requirements if path.suffix in {".txt", ".lock", ".in"} else None)
    name = shown(path, ctx.project_dir)
    if reader is None:
        raise ToolFailure(f"expected a lock file ({', '.join(_READERS)}), got {name!r}")
    text = file_text(path, ctx)
    try:
        return list(reader(text, path))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ToolFailure(f"{name!r} is broken, or of a version that is not known: {error}") from error


def environment_in(folder: Path) -> Path | None:
    """Return the folder that a Python environment in a project keeps its packages in; None for none."""
    for name in ("", *_ENVIRONMENTS):
        for pattern in _SITE_PACKAGES:
            found = sorted((folder / name).glob(pattern))
            if found:
                return found[0]
    return folder if next(folder.glob("*.dist-info"), None) is not None else None


def read_environment(site_packages: Path, watcher: Watcher) -> list[LockedPackage]:
    """Return the packages that are installed in a Python environment.

    Raises:
        ToolFailure: It cannot be read.
    """
    from importlib.metadata import distributions  # noqa: PLC0415 -- the tools are listed without it

    found: dict[str, LockedPackage] = {}
    with refusals(f"read {shown(site_packages, watcher.project_dir)!r}"):
        for distribution in distributions(path=[str(site_packages)]):
            facts: Any = distribution.metadata
            name = facts.get("Name")
            if name is None:
                continue
            needs = tuple(dict.fromkeys(_needed(distribution.requires or ())))
            requested = distribution.read_text("REQUESTED") is not None
            found.setdefault(
                same_package(name), LockedPackage(name, distribution.version, needs, requested, _license(facts))
            )
    return sorted(found.values(), key=lambda package: same_package(package.name))


def _needed(requirements: Iterable[str]) -> Iterator[str]:
    for requirement in requirements:
        name = _REQUIRED_NAME.match(requirement)
        # What an extra asks for is installed only by who names the extra.
        if name is not None and "extra ==" not in requirement.replace("extra==", "extra =="):
            yield name[0]


def _license(facts: Any) -> str:
    expression = facts.get("License-Expression")
    if expression:
        return str(expression)
    classified = [
        value.rpartition(" :: ")[2]
        for value in facts.get_all("Classifier") or ()
        if value.startswith(_CLASSIFIER) and value != "License :: OSI Approved"
    ]
    if classified:
        return " OR ".join(dict.fromkeys(classified))
    first = str(facts.get("License") or "").strip().split("\n", 1)[0]
    return "" if first.upper() == "UNKNOWN" else first[:100]


def read_node_modules(folder: Path, watcher: Watcher) -> list[LockedPackage]:
    """Return the packages that are installed below a folder `node_modules`."""
    found: list[LockedPackage] = []
    for manifest in sorted((*folder.glob("*/package.json"), *folder.glob("@*/*/package.json"))):
        try:
            facts = json.loads(manifest.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            watcher.log("info", f"skipped {shown(manifest, watcher.project_dir)}: it cannot be read")
            continue
        given = facts.get("license") if isinstance(facts, dict) else None
        if isinstance(facts, dict) and isinstance(facts.get("name"), str):
            license_name = given.get("type", "") if isinstance(given, dict) else given or ""
            needs = tuple(facts.get("dependencies") or ())
            found.append(LockedPackage(facts["name"], str(facts.get("version", "")), needs, None, str(license_name)))
    return found
