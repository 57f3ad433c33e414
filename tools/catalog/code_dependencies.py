"""What a project depends on, and under which licences, found offline."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, NamedTuple

from pydantic import Field

from tools.catalog._bounds import counted, say_cut
from tools.catalog._dependencies import (
    LockedPackage,
    environment_in,
    lock_files,
    read_environment,
    read_lock_file,
    read_node_modules,
    same_package,
)
from tools.catalog._paths import need_file, shown, status_of
from tools.context import ToolContext
from tools.declare import tool
from tools.errors import ToolFailure
from tools.spec import Latency, Param, PathRole, ToolExample

_MOST_TREE_LINES: Final = 2000
_DEEPEST: Final = 30
_LICENSE_PARTS: Final = re.compile(r"\s+(?:OR|AND)\s+|[()]", re.IGNORECASE)
_LICENSE_NOISE: Final = re.compile(r"\b(?:the|licen[cs]e|software|version|v)\b|[^a-z0-9.+]", re.IGNORECASE)

ProjectPath = Annotated[
    Path, Param("A project folder, a lock file, a Python environment or a node_modules folder"), PathRole()
]


@dataclass(frozen=True, slots=True)
class Dependency:
    """A package that a project uses."""

    name: Annotated[str, Field(description="The package.")]
    version: Annotated[str, Field(description="Its version; empty when that is not said.")]
    direct: Annotated[bool | None, Field(description="Whether the project asks for it itself; null when not said.")]
    needs: Annotated[list[str], Field(description="The packages that it needs itself, as far as that is said.")]
    needed_by: Annotated[list[str], Field(description="The packages that need it.")]


@dataclass(frozen=True, slots=True)
class Dependencies:
    """What a project uses."""

    source: Annotated[str, Field(description="The lock file or environment that was read.")]
    others: Annotated[list[str], Field(description="Further sources in the folder; name one as path to read it.")]
    packages: Annotated[list[Dependency], Field(description="The packages, in order of name.")]
    total: Annotated[int, Field(description="How many there are.")]
    tree: Annotated[
        str, Field(description="The package asked for with what it needs, or what needs it; empty unless asked for.")
    ]
    missing: Annotated[list[str], Field(description="What packages need and is not there, as for other systems.")]
    truncated: Annotated[bool, Field(description="Whether there is more.")]


@dataclass(frozen=True, slots=True)
class LicenseUse:
    """The packages under one licence."""

    license: Annotated[str, Field(description="The licence, as the packages write it; empty when they say none.")]
    packages: Annotated[list[str], Field(description="The packages, each with its version.")]
    allowed: Annotated[
        bool | None, Field(description="Whether it is among the allowed ones; null when none were given.")
    ]


@dataclass(frozen=True, slots=True)
class LicensesFound:
    """The licences of what a project uses."""

    source: Annotated[str, Field(description="The lock file or environment that was read.")]
    licenses: Annotated[list[LicenseUse], Field(description="Those that are not allowed or not said first.")]
    packages: Annotated[int, Field(description="How many packages there are.")]
    unknown: Annotated[int, Field(description="How many say no licence.")]
    not_allowed: Annotated[int, Field(description="How many are under none of the allowed licences.")]


class _Source(NamedTuple):
    path: Path
    packages: Sequence[LockedPackage]
    others: Sequence[Path] = ()


class CodeDependencies:
    """The tools that look at what a project uses."""

    @tool(
        keywords=("dependencies", "packages", "lock file", "tree", "requirements", "versions"),
        latency=Latency.MEDIUM,
        read_only=True,
        open_world=False,
        timeout_s=120,
        examples=(
            ToolExample(input={"path": "requirements.txt"}, description="The packages of a lock file"),
            ToolExample(
                input={"path": "src"},
                description="A folder without any",
                negative=True,
                why_bad="A lock file, an environment or node_modules must be there.",
            ),
        ),
    )
    def list_dependencies(
        self,
        path: ProjectPath = Path(),
        *,
        of: Annotated[str, Param("Only this package, with the tree of what it needs"), Field(max_length=200)] = "",
        reverse: Annotated[bool, Param("With `of`: the tree of what needs it instead")] = False,
        max_packages: Annotated[int, Param("Most packages returned"), Field(ge=1, le=5000)] = 500,
        ctx: ToolContext,
    ) -> Dependencies:
        """List the packages that a project uses, with versions and what needs what, from its lock file or environment.

        Read are the lock files of uv, Poetry, PDM, Pipenv, pip, npm, pnpm, Cargo, Go and Composer, Python environments
        and node_modules. Nothing is fetched.
        """
        source = _found(path, ctx)
        by_name = {same_package(package.name): package for package in source.packages}
        needed_by: dict[str, list[str]] = {}
        for package in source.packages:
            for need in package.needs:
                needed_by.setdefault(same_package(need), []).append(package.name)
        kept = list(source.packages)
        tree: list[str] = []
        if of:
            if same_package(of) not in by_name:
                raise ToolFailure(
                    f"{of!r} is none of {counted(len(by_name), 'package')} in {shown(source.path, ctx.project_dir)!r};"
                    " leave it out to see them"
                )
            edges = needed_by if reverse else {name: list(package.needs) for name, package in by_name.items()}
            tree = _tree(by_name[same_package(of)].name, edges, by_name)
            kept = [by_name[same_package(of)]]
        kept.sort(key=lambda package: same_package(package.name))
        truncated = len(kept) > max_packages or len(tree) >= _MOST_TREE_LINES
        if truncated:
            say_cut(ctx, f"{min(len(kept), max_packages):,} of {len(kept):,} packages are returned")
        return Dependencies(
            source=shown(source.path, ctx.project_dir),
            others=[shown(other, ctx.project_dir) for other in source.others],
            packages=[
                Dependency(
                    package.name,
                    package.version,
                    package.direct,
                    sorted(package.needs),
                    sorted(set(needed_by.get(same_package(package.name), []))),
                )
                for package in kept[:max_packages]
            ],
            total=len(source.packages),
            tree="\n".join(tree),
            missing=sorted(needed_by.keys() - by_name.keys())[:max_packages],
            truncated=truncated,
        )

    @tool(
        keywords=("licence", "license", "compliance", "legal", "dependencies"),
        latency=Latency.MEDIUM,
        read_only=True,
        open_world=False,
        timeout_s=120,
        examples=(
            ToolExample(input={"path": "requirements.txt"}, description="A lock file that says no licences"),
            ToolExample(
                input={"path": "requirements.txt", "allowed": ["MIT", "Apache-2.0"]},
                description="What is under other licences",
            ),
        ),
    )
    def check_licenses(
        self,
        path: ProjectPath = Path(),
        *,
        allowed: Annotated[
            tuple[Annotated[str, Field(title="Licence")], ...],
            Param("Licences that are fine, such as MIT"),
            Field(max_length=200),
        ] = (),
        ctx: ToolContext,
    ) -> LicensesFound:
        """List the licences of the packages that a project uses, and those that are not allowed or not said.

        Licences are what the packages say of themselves, compared by their names. It is no legal advice.
        """
        source = _found(path, ctx, with_licenses=True)
        by_license: dict[str, list[str]] = {}
        for package in source.packages:
            by_license.setdefault(package.license, []).append(f"{package.name} {package.version}".strip())
        uses = [
            LicenseUse(name, sorted(packages), _is_allowed(name, allowed) if allowed else None)
            for name, packages in by_license.items()
        ]
        uses.sort(key=lambda use: (use.allowed is not False, bool(use.license), -len(use.packages), use.license))
        unknown = len(by_license.get("", ()))
        if unknown:
            ctx.log("warning", f"{counted(unknown, 'package')} of {len(source.packages):,} say no licence here")
        refused = sum(len(use.packages) for use in uses if use.allowed is False)
        return LicensesFound(shown(source.path, ctx.project_dir), uses, len(source.packages), unknown, refused)


def _found(path: Path, ctx: ToolContext, *, with_licenses: bool = False) -> _Source:
    """Return what a project uses, from the first source that can be read.

    Args:
        path: The project folder or one source.
        ctx: The running call.
        with_licenses: Whether what is installed comes before lock files, most of which say no licences.

    Raises:
        ToolFailure: There is none.
    """
    status_of(path, ctx.project_dir)
    if not path.is_dir():
        need_file(path, ctx.project_dir)
        return _Source(path, read_lock_file(path, ctx))
    if path.name == "node_modules":
        return _Source(path, read_node_modules(path, ctx))
    environment = environment_in(path)
    modules = path / "node_modules"
    installed = [place for place in (environment, modules if modules.is_dir() else None) if place is not None]
    locks = lock_files(path)
    sources = [*installed, *locks] if with_licenses else [*locks, *installed]
    if not sources:
        raise ToolFailure(
            f"{shown(path, ctx.project_dir)!r} has no lock file, Python environment or node_modules; name one as path"
        )
    first, *others = sources
    if first in locks:
        return _Source(first, read_lock_file(first, ctx), others)
    packages = read_node_modules(first, ctx) if first == modules else read_environment(first, ctx)
    return _Source(first, packages, others)


def _tree(root: str, edges: dict[str, list[str]], packages: dict[str, LockedPackage]) -> list[str]:
    """Return a package with what it leads to, one line each; what was shown above is not shown again."""
    lines: list[str] = []
    seen: set[str] = set()
    pending: list[tuple[str, int]] = [(root, 0)]
    while pending and len(lines) < _MOST_TREE_LINES:
        name, depth = pending.pop()
        key = same_package(name)
        package = packages.get(key)
        following = sorted(set(edges.get(key, [])), key=same_package, reverse=True)
        again = " (see above)" if key in seen and following else ""
        version = f" {package.version}" if package is not None else " (not there)"
        lines.append(f"{'  ' * depth}{name}{version}{again}")
        if key not in seen and depth < _DEEPEST:
            pending += [(other, depth + 1) for other in following]
        seen.add(key)
    return lines


def _is_allowed(license_name: str, allowed: Sequence[str]) -> bool:
    """Return whether a licence, or one of those to choose from, is allowed."""
    known = {_plain(name) for name in allowed}
    if not license_name:
        return False
    parts = [part for part in _LICENSE_PARTS.split(license_name) if part.strip()]
    every = " and " in license_name.lower()
    fits = [_plain(part) in known for part in parts]
    return _plain(license_name) in known or (all(fits) if every else any(fits))


def _plain(name: str) -> str:
    return _LICENSE_NOISE.sub("", name).lower()
