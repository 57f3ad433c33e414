"""Known vulnerabilities of packages, from the database OSV."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple
from urllib.parse import quote

from annotated_types import Ge, Le
from pydantic import StringConstraints

from tools.catalog._answers import objects_at, part, plain, text_at, texts_at
from tools.catalog._bounds import ProgressThrottle, counted, cut_text, say_cut
from tools.catalog._dependencies import read_lock_file
from tools.catalog._services import Service, WebServices
from tools.context import ToolContext
from tools.declare import tool
from tools.declare.decorators import retry
from tools.errors import ToolFailure, TransientError
from tools.spec import Param, PathRole, ToolExample

_OSV: Final = Service("OSV", "https://api.osv.dev/v1")
_A_BATCH: Final = 500
_AT_A_TIME: Final = 5
_MOST_BYTES: Final = 30_000_000
_LONGEST_DETAILS: Final = 20_000
_MOST_REFERENCES: Final = 50

Ecosystem = Annotated[
    str,
    StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9 .:_-]{0,40}$"),
    Param("Where the package comes from, as OSV calls it: PyPI, npm, crates.io, Go, Maven, RubyGems, NuGet, Debian …"),
]


@dataclass(frozen=True)
class Vulnerability:
    """One known vulnerability.

    Attributes:
        id: Its identifier in OSV, which read_vulnerability takes.
        aliases: Its other names, such as its CVE.
        summary: What it is.
        severity: How bad it is, as its database says it: low, moderate, high or critical, or a CVSS vector.
        fixed_in: The versions that mend it.
        packages: The packages found with it, with their versions.
    """

    id: str
    aliases: tuple[str, ...]
    summary: str
    severity: str
    fixed_in: tuple[str, ...]
    packages: tuple[str, ...]


@dataclass(frozen=True)
class VulnerabilityReport:
    """The known vulnerabilities of packages.

    Attributes:
        checked: How many packages were looked up.
        vulnerabilities: Those that are known, each once.
        found: How many there are in all.
        truncated: Whether some are missing here.
    """

    checked: int
    vulnerabilities: tuple[Vulnerability, ...]
    found: int
    truncated: bool


@dataclass(frozen=True)
class AffectedPackage:
    """What a vulnerability is in.

    Attributes:
        ecosystem: Where the package comes from.
        name: Its name.
        introduced: The versions it came with.
        fixed_in: The versions that mend it.
    """

    ecosystem: str
    name: str
    introduced: tuple[str, ...]
    fixed_in: tuple[str, ...]


@dataclass(frozen=True)
class VulnerabilityDetails:
    """All that is known of a vulnerability.

    Attributes:
        id: Its identifier in OSV.
        aliases: Its other names, such as its CVE.
        summary: What it is.
        details: The same at length, as Markdown.
        severity: How bad it is, as its database says it.
        published: When it became known.
        withdrawn: When it was taken back; empty when it holds.
        affected: The packages it is in.
        references: Where to read on.
        truncated: Whether the details were cut.
    """

    id: str
    aliases: tuple[str, ...]
    summary: str
    details: str
    severity: str
    published: str
    withdrawn: str
    affected: tuple[AffectedPackage, ...]
    references: tuple[str, ...]
    truncated: bool


class PinnedPackage(NamedTuple):
    """One package at one version.

    Attributes:
        ecosystem: Where it comes from, as OSV calls it.
        name: Its name there.
        version: The version; empty for all.
    """

    ecosystem: str
    name: str
    version: str


class Vulnerabilities:
    """Look vulnerabilities up."""

    _services: WebServices

    @tool(
        keywords=("vulnerability", "security", "cve", "osv", "audit", "lock file", "dependencies", "advisory"),
        latency="slow",
        probe={"package": "jinja2", "ecosystem": "PyPI", "version": "2.4.1"},
        probe_on_request=True,
        needs=("OSV",),
        untried=True,
        read_only=True,
        open_world=True,
        timeout_s=180,
        examples=(
            ToolExample(
                input={"package": "jinja2", "ecosystem": "PyPI", "version": "2.4.1"},
                description="One version of a package",
            ),
            ToolExample(input={"lock_file": "package-lock.json"}, description="All that a lock file pins"),
        ),
    )
    @retry(max_attempts=2, retry_on=(TransientError,))
    async def find_vulnerabilities(
        self,
        *,
        package: Annotated[str, Param("The name of a package; empty when a lock file is given")] = "",
        ecosystem: Ecosystem = "PyPI",
        version: Annotated[str, Param("The package's version; empty for all versions")] = "",
        lock_file: Annotated[
            Path | None,
            PathRole(),
            Param(
                "A lock file whose packages are all looked up: requirements.txt, poetry.lock, uv.lock, pdm.lock,"
                " Pipfile.lock, package-lock.json, Cargo.lock or go.sum"
            ),
        ] = None,
        limit: Annotated[int, Ge(1), Le(500), Param("The most vulnerabilities to describe")] = 50,
        ctx: ToolContext,
    ) -> VulnerabilityReport:
        """Find known vulnerabilities of a package, or of everything a lock file pins, in the database OSV.

        The names and versions of the packages are sent to api.osv.dev.
        """
        if bool(package) is (lock_file is not None):
            raise ToolFailure("expected a package or a lock file, got both or neither; give one of them")
        if lock_file is not None:
            pinned = await asyncio.to_thread(_pinned, lock_file, ctx)
            if not pinned:
                raise ToolFailure(f"{lock_file.name} pins no package with its version, so there is nothing to look up")
        else:
            pinned = [PinnedPackage(ecosystem, package, version)]
        packages_by_id = await self._ids(ctx, pinned)
        wanted = list(packages_by_id)[:limit]
        if len(wanted) < len(packages_by_id):
            say_cut(ctx, f"{len(wanted):,} of {counted(len(packages_by_id), 'vulnerability', 'vulnerabilities')}")
        progress = ProgressThrottle(ctx, len(wanted))
        places = asyncio.Semaphore(_AT_A_TIME)

        async def described(name: str) -> Vulnerability:
            async with places:
                record = await self._record(ctx, name)
            progress.step(text=name)
            return _vulnerability(record, packages_by_id[name])

        found = await asyncio.gather(*(described(name) for name in wanted))
        return VulnerabilityReport(
            len(pinned), tuple(found), len(packages_by_id), truncated=len(wanted) < len(packages_by_id)
        )

    @tool(
        keywords=("vulnerability", "security", "cve", "osv", "advisory", "ghsa"),
        latency="medium",
        probe={"id": "GHSA-462w-v97r-4m45"},
        probe_on_request=True,
        needs=("OSV",),
        untried=True,
        read_only=True,
        open_world=True,
        timeout_s=60,
        examples=(ToolExample(input={"id": "GHSA-462w-v97r-4m45"}, description="An advisory by its identifier"),),
    )
    @retry(max_attempts=2, retry_on=(TransientError,))
    async def read_vulnerability(
        self,
        id: Annotated[
            str,
            StringConstraints(strip_whitespace=True, pattern=r"^[A-Za-z0-9][A-Za-z0-9:._-]{2,60}$"),
            Param("Its identifier, such as GHSA-…, PYSEC-…, RUSTSEC-… or CVE-…"),
        ],
        *,
        ctx: ToolContext,
    ) -> VulnerabilityDetails:
        """Read what is known of a vulnerability: details, severity, affected packages, fixed versions, references."""
        record = await self._record(ctx, id)
        details, cut = cut_text(text_at(record, "details"), _LONGEST_DETAILS, ctx)
        return VulnerabilityDetails(
            id=text_at(record, "id"),
            aliases=texts_at(record, "aliases"),
            summary=plain(text_at(record, "summary"), 500),
            details=details,
            severity=_severity(record),
            published=text_at(record, "published"),
            withdrawn=text_at(record, "withdrawn"),
            affected=tuple(
                AffectedPackage(
                    text_at(item, "package", "ecosystem"),
                    text_at(item, "package", "name"),
                    _events([item], "introduced"),
                    _events([item], "fixed"),
                )
                for item in objects_at(record, "affected")[:100]
            ),
            references=tuple(text_at(item, "url") for item in objects_at(record, "references")[:_MOST_REFERENCES]),
            truncated=cut,
        )

    async def _record(self, ctx: ToolContext, name: str) -> Any:
        return await self._services.json(ctx, _OSV, f"/vulns/{quote(name, safe='')}", max_bytes=_MOST_BYTES)

    async def _ids(self, ctx: ToolContext, pinned: Sequence[PinnedPackage]) -> dict[str, list[PinnedPackage]]:
        found: dict[str, list[PinnedPackage]] = {}
        for start in range(0, len(pinned), _A_BATCH):
            asked = [(package, "") for package in pinned[start : start + _A_BATCH]]
            while asked:
                answer = await self._services.json(
                    ctx,
                    _OSV,
                    "/querybatch",
                    method="POST",
                    json={"queries": [_query(package, page) for package, page in asked]},
                    max_bytes=_MOST_BYTES,
                )
                results = part(answer, "results")
                if not isinstance(results, list) or len(results) != len(asked):
                    raise ToolFailure("OSV did not answer every question; try again later")
                following = []
                for (package, _), result in zip(asked, results, strict=True):
                    for item in objects_at(result, "vulns"):
                        found.setdefault(text_at(item, "id"), []).append(package)
                    if page := text_at(result, "next_page_token"):
                        following.append((package, page))
                asked = following
        return found


def _pinned(lock_file: Path, ctx: ToolContext) -> list[PinnedPackage]:
    """Return what a lock file pins from registries, each once."""
    found = [
        # OSV has the versions of Go without their letter.
        PinnedPackage(one.registry, one.name, one.version.removeprefix("v") if one.registry == "Go" else one.version)
        for one in read_lock_file(lock_file, ctx)
        if one.registry and one.version
    ]
    return list(dict.fromkeys(found))


def _query(package: PinnedPackage, page: str) -> dict[str, Any]:
    query: dict[str, Any] = {"package": {"name": package.name, "ecosystem": package.ecosystem}}
    if package.version:
        query["version"] = package.version
    if page:
        query["page_token"] = page
    return query


def _vulnerability(record: Any, packages: Sequence[PinnedPackage]) -> Vulnerability:
    names = {package.name.casefold().replace("_", "-") for package in packages}
    affected = [
        item
        for item in objects_at(record, "affected")
        if text_at(item, "package", "name").casefold().replace("_", "-") in names
    ]
    return Vulnerability(
        id=text_at(record, "id"),
        aliases=texts_at(record, "aliases"),
        summary=plain(text_at(record, "summary") or text_at(record, "details"), 300),
        severity=_severity(record),
        fixed_in=_events(affected, "fixed"),
        packages=tuple(dict.fromkeys(f"{package.name} {package.version}".strip() for package in packages)),
    )


def _severity(record: Any) -> str:
    return text_at(record, "database_specific", "severity").casefold() or text_at(record, "severity", -1, "score")


def _events(affected: Iterable[dict[str, Any]], kind: str) -> tuple[str, ...]:
    """Return the versions at which something happened; ranges of git are commits, which nobody installs."""
    return tuple(
        dict.fromkeys(
            version
            for item in affected
            for span in objects_at(item, "ranges")
            if text_at(span, "type") != "GIT"
            for event in objects_at(span, "events")
            if (version := text_at(event, kind))
        )
    )
