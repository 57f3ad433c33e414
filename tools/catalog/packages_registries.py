"""Packages as the registries PyPI, npm and crates.io describe them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Final, Literal
from urllib.parse import quote

from annotated_types import Ge, Le
from pydantic import StringConstraints

from tools.catalog._answers import objects_at, part, plain, text_at
from tools.catalog._services import Service, WebServices
from tools.context import ToolContext
from tools.declare import tool
from tools.declare.decorators import retry
from tools.errors import ToolFailure, TransientError
from tools.spec import Param, ToolExample

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

Registry = Literal["pypi", "npm", "crates"]
PackageName = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=214, pattern=r"^@?[A-Za-z0-9._~/-]+$"),
]
Version = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9.!+_-]*$", max_length=100)]

_PYPI: Final = Service("PyPI", "https://pypi.org")
_NPM: Final = Service("npm", "https://registry.npmjs.org")
_CRATES: Final = Service("crates.io", "https://crates.io/api/v1")
_MOST_BYTES: Final = 40_000_000
_MOST_DEPENDENCIES: Final = 200
_REPOSITORY: Final = re.compile(r"^(?:git\+)?(?:git|ssh|https?)://(?:git@)?", re.IGNORECASE)


@dataclass(frozen=True)
class PackageInfo:
    """One version of a package.

    Attributes:
        name: Its name in the registry.
        version: The version described.
        latest: The newest stable version, as the registry names it.
        summary: What it is for.
        license: Its licence as its authors name it; empty when they do not.
        homepage: Where it is at home; empty when nobody says.
        repository: Where its source is; empty when nobody says.
        released: When the version came; empty when the registry does not say.
        requires: The Python, Node or Rust that it needs; empty when any will do.
        dependencies: What it depends on, with the versions it takes; optional and development ones are left out.
        versions: Its versions, the newest first.
        withdrawn: Why the version should not be used: yanked or deprecated; empty when it may.
        truncated: Whether there are more versions or dependencies.
    """

    name: str
    version: str
    latest: str
    summary: str
    license: str
    homepage: str
    repository: str
    released: str
    requires: str
    dependencies: tuple[str, ...]
    versions: tuple[str, ...]
    withdrawn: str
    truncated: bool = False


class Registries:
    """Look packages up."""

    _services: WebServices

    @tool(
        keywords=("pypi", "npm", "crates", "package", "dependency", "version", "license", "registry"),
        latency="medium",
        probe={"registry": "pypi", "name": "pip"},
        probe_on_request=True,
        needs=(
            "PyPI",
            "npm",
            "crates.io",
        ),
        untried=True,
        read_only=True,
        open_world=True,
        timeout_s=90,
        examples=(
            ToolExample(input={"registry": "pypi", "name": "httpx"}, description="The newest version of a package"),
            ToolExample(
                input={"registry": "npm", "name": "@types/node", "version": "20.0.0"}, description="One version"
            ),
        ),
    )
    @retry(max_attempts=2, retry_on=(TransientError,))
    async def package_info(
        self,
        registry: Annotated[Registry, Param("Where the package is")],
        name: Annotated[PackageName, Param("Its name there")],
        *,
        version: Annotated[Version, Param("The version wanted; empty for the newest stable one")] = "",
        most_versions: Annotated[int, Ge(0), Le(1000), Param("How many of its versions to list")] = 20,
        ctx: ToolContext,
    ) -> PackageInfo:
        """Look a package up in PyPI, npm or crates.io: newest version, licence, dependencies, withdrawals."""
        found = await _LOOK_UPS[registry](ctx, self._services, name, version)
        cut = len(found.versions) > most_versions or len(found.dependencies) > _MOST_DEPENDENCIES
        return replace(
            found,
            versions=found.versions[:most_versions],
            dependencies=found.dependencies[:_MOST_DEPENDENCIES],
            truncated=cut,
        )


async def _pypi(ctx: ToolContext, services: WebServices, name: str, version: str) -> PackageInfo:
    answer = await services.json(ctx, _PYPI, f"/pypi/{quote(name, safe='')}/json", max_bytes=_MOST_BYTES)
    info, files = part(answer, "info"), objects_at(answer, "urls")
    latest = text_at(info, "version")
    releases = part(answer, "releases")
    released = releases if isinstance(releases, dict) else {}
    if version and version != latest:
        one = await services.json(
            ctx, _PYPI, f"/pypi/{quote(name, safe='')}/{quote(version, safe='')}/json", max_bytes=_MOST_BYTES
        )
        info, files = part(one, "info"), objects_at(one, "urls")
    links = part(info, "project_urls")
    urls = {str(key).casefold(): str(url) for key, url in links.items()} if isinstance(links, dict) else {}
    return PackageInfo(
        name=text_at(info, "name"),
        version=text_at(info, "version"),
        latest=latest,
        summary=plain(text_at(info, "summary"), 500),
        license=text_at(info, "license_expression") or plain(text_at(info, "license"), 100),
        homepage=text_at(info, "home_page") or urls.get("homepage", "") or urls.get("documentation", ""),
        repository=next(
            (urls[key] for key in ("repository", "source", "source code", "code", "github") if key in urls), ""
        ),
        released=text_at(files, 0, "upload_time_iso_8601"),
        requires=_prefixed("Python ", text_at(info, "requires_python")),
        dependencies=tuple(
            item for item in part(info, "requires_dist") or () if isinstance(item, str) and "extra ==" not in item
        ),
        versions=_newest_first((key, text_at(value, 0, "upload_time_iso_8601")) for key, value in released.items()),
        withdrawn=(text_at(info, "yanked_reason") or "yanked") if part(info, "yanked") else "",
    )


async def _npm(ctx: ToolContext, services: WebServices, name: str, version: str) -> PackageInfo:
    place = f"/{quote(name, safe='@')}"
    every = await services.json(
        ctx, _NPM, place, headers={"accept": "application/vnd.npm.install-v1+json"}, max_bytes=_MOST_BYTES
    )
    latest = text_at(every, "dist-tags", "latest")
    wanted = version or latest
    if not wanted:
        raise ToolFailure(f"npm has no version of {name!r} any more; choose another package")
    one = await services.json(ctx, _NPM, f"{place}/{quote(wanted, safe='')}")
    versions = part(every, "versions")
    needs = part(one, "dependencies")
    return PackageInfo(
        name=text_at(one, "name"),
        version=text_at(one, "version"),
        latest=latest,
        summary=plain(text_at(one, "description"), 500),
        license=text_at(one, "license") or text_at(one, "license", "type"),
        homepage=text_at(one, "homepage"),
        repository=_web_address(text_at(one, "repository", "url") or text_at(one, "repository")),
        released="",
        requires=_prefixed("Node ", text_at(one, "engines", "node")),
        dependencies=tuple(f"{key} {value}" for key, value in needs.items()) if isinstance(needs, dict) else (),
        # The registry lists them in the order in which they came.
        versions=tuple(reversed(versions)) if isinstance(versions, dict) else (),
        withdrawn=plain(text_at(one, "deprecated"), 300),
    )


async def _crates(ctx: ToolContext, services: WebServices, name: str, version: str) -> PackageInfo:
    place = f"/crates/{quote(name, safe='')}"
    answer = await services.json(ctx, _CRATES, place, max_bytes=_MOST_BYTES)
    crate, versions = part(answer, "crate"), objects_at(answer, "versions")
    latest = text_at(crate, "max_stable_version") or text_at(crate, "max_version")
    wanted = version or latest
    one = next((item for item in versions if text_at(item, "num") == wanted), None)
    if one is None:
        raise ToolFailure(f"crates.io has no version {wanted!r} of {name!r}; leave version empty for the newest")
    needs = await services.json(ctx, _CRATES, f"{place}/{quote(wanted, safe='')}/dependencies")
    return PackageInfo(
        name=text_at(crate, "name"),
        version=wanted,
        latest=latest,
        summary=plain(text_at(crate, "description"), 500),
        license=text_at(one, "license"),
        homepage=text_at(crate, "homepage") or text_at(crate, "documentation"),
        repository=text_at(crate, "repository"),
        released=text_at(one, "created_at"),
        requires=_prefixed("Rust ", text_at(one, "rust_version")),
        dependencies=tuple(
            f"{text_at(item, 'crate_id')} {text_at(item, 'req')}"
            for item in objects_at(needs, "dependencies")
            if text_at(item, "kind") == "normal" and not part(item, "optional")
        ),
        versions=_newest_first((text_at(item, "num"), text_at(item, "created_at")) for item in versions),
        withdrawn="yanked" if part(one, "yanked") else "",
    )


_LOOK_UPS: Final[dict[Registry, Callable[[ToolContext, WebServices, str, str], Awaitable[PackageInfo]]]] = {
    "pypi": _pypi,
    "npm": _npm,
    "crates": _crates,
}


def _newest_first(dated: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    return tuple(name for name, _ in sorted(dated, key=lambda item: item[1], reverse=True))


def _prefixed(before: str, text: str) -> str:
    return f"{before}{text}" if text else ""


def _web_address(repository: str) -> str:
    return _REPOSITORY.sub("https://", repository).removesuffix(".git")
