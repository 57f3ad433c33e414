"""Which forge a repository is at, and whose key is sent there."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal
from urllib.parse import quote, unquote

from tools.catalog._services import Service, ServiceKey
from tools.errors import ToolFailure
from tools.web.addresses import host_of, parse_url

ForgeKind = Literal["github", "gitlab"]

_HOSTS: Final[dict[str, ForgeKind]] = {"github.com": "github", "www.github.com": "github", "gitlab.com": "gitlab"}
_PATH: Final = re.compile(r"[\w.-]+(/[\w.-]+)+")
_ENDS: Final = re.compile(r"(?:\.git)?/*$")
_NOT_IN_NAMES: Final = re.compile(r"[^A-Z0-9]+")
_GITHUB_HEADERS: Final = {"accept": "application/vnd.github+json", "x-github-api-version": "2022-11-28"}


@dataclass(frozen=True, slots=True)
class RepositoryAddress:
    """Where a repository is.

    Attributes:
        host: The host, with its port unless that is the usual one.
        path: The path of the repository there: owner and name, or groups and name; empty for the forge as a whole.
    """

    kind: ForgeKind
    host: str
    path: str

    @property
    def url(self) -> str:
        return f"https://{self.host}/{self.path}"

    @property
    def service(self) -> Service:
        """The forge, with the key for exactly its host: no other host is sent a key that was not meant for it."""
        name = {"github": "GitHub", "gitlab": "GitLab"}[self.kind]
        variable = f"{name.upper()}_TOKEN"
        if self.host not in _HOSTS:
            variable += f"_{_NOT_IN_NAMES.sub('_', self.host.upper())}"
            name = f"{name} at {self.host}"
        key = ServiceKey(variable, required=False)
        if self.kind == "gitlab":
            return Service(name, f"https://{self.host}/api/v4", key)
        is_public = self.host in _HOSTS
        address = "https://api.github.com" if is_public else f"https://{self.host}/api/v3"
        return Service(name, address, key, _GITHUB_HEADERS)

    @property
    def place(self) -> str:
        """What all addresses of the repository begin with, behind that of the service."""
        if self.kind == "gitlab":
            return f"/projects/{quote(self.path, safe='')}"
        return f"/repos/{quote(self.path)}"


def repository_address(text: str, kind: ForgeKind) -> RepositoryAddress:
    """Return where a repository is.

    Args:
        text: Its path, at github.com or gitlab.com, or the address of its page or of one of the pages below it.
        kind: What runs at a host that is neither.

    Raises:
        ToolFailure: It names no repository.
    """
    text = text.strip()
    if "://" not in text:
        return _checked(RepositoryAddress(kind, f"{kind}.com", _ENDS.sub("", text)), text)
    url = parse_url(text)
    if url.scheme != "https":
        raise ToolFailure(f"expected an https:// address of a repository, got {text!r}")
    host = host_of(url) if url.port is None else f"{host_of(url)}:{url.port}"
    kind = _HOSTS.get(host, kind)
    parts = [part for part in unquote(url.path).split("/") if part]
    parts = parts[: parts.index("-")] if "-" in parts else parts
    if kind == "github":
        parts = parts[:2]
    host = "github.com" if host == "www.github.com" else host
    return _checked(RepositoryAddress(kind, host, _ENDS.sub("", "/".join(parts))), text)


def forge_address(kind: ForgeKind, host: str) -> RepositoryAddress:
    """Return a forge as a whole.

    Args:
        host: Its host; empty for github.com or gitlab.com.

    Raises:
        ToolFailure: The host is none.
    """
    if not host:
        return RepositoryAddress(kind, f"{kind}.com", "")
    url = parse_url(f"https://{host}/")
    return RepositoryAddress(kind, host_of(url) if url.port is None else f"{host_of(url)}:{url.port}", "")


def _checked(address: RepositoryAddress, text: str) -> RepositoryAddress:
    steps = address.path.split("/")
    if not _PATH.fullmatch(address.path) or ".." in steps or "." in steps:
        raise ToolFailure(f"expected a repository such as owner/name or https://gitlab.com/group/name, got {text!r}")
    if address.kind == "github" and len(steps) != 2:  # noqa: PLR2004 -- owner and name
        raise ToolFailure(f"expected owner/name of a repository at GitHub, got {text!r}")
    return address
