"""Packages and their vulnerabilities, on the shapes of answers that the registries document, with values of our own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.tools.catalog.calling import failure_of, result_of
from tests.tools.catalog.services import FakeServices
from tests.tools.catalog.web_server import Page, Seen
from tools.catalog.packages import Packages

PYPI = {
    "info": {
        "name": "lamp",
        "version": "2.0",
        "summary": "Light",
        "license": None,
        "license_expression": "MIT",
        "home_page": "",
        "project_urls": {"Homepage": "https://lamp.example", "Source": "https://git.example/lamp"},
        "requires_dist": ["wire>=1", "shade; extra == 'all'"],
        "requires_python": ">=3.10",
        "yanked": False,
        "yanked_reason": None,
    },
    "releases": {
        "1.0": [{"upload_time_iso_8601": "2020-01-01T00:00:00Z", "yanked": False}],
        "2.0": [{"upload_time_iso_8601": "2021-01-01T00:00:00Z", "yanked": False}],
        "0.1": [],
    },
    "urls": [{"upload_time_iso_8601": "2021-01-01T00:00:00Z"}],
    "vulnerabilities": [],
}
OLD = {
    **PYPI,
    "info": {**PYPI["info"], "version": "1.0", "yanked": True, "yanked_reason": "burns"},  # type: ignore[dict-item]
    "urls": [{"upload_time_iso_8601": "2020-01-01T00:00:00Z"}],
}
NPM_VERSION = {
    "name": "@light/lamp",
    "version": "3.1.0",
    "description": "Light",
    "license": "ISC",
    "homepage": "https://lamp.example",
    "repository": {"type": "git", "url": "git+https://git.example/lamp.git"},
    "engines": {"node": ">=20"},
    "dependencies": {"wire": "^1.0.0"},
    "deprecated": "use candle",
}
CRATE = {
    "crate": {
        "id": "lamp",
        "name": "lamp",
        "description": "Light",
        "homepage": None,
        "documentation": "https://docs.example/lamp",
        "repository": "https://git.example/lamp",
        "max_stable_version": "1.2.0",
        "downloads": 5,
    },
    "versions": [
        {
            "num": "1.2.0",
            "license": "MIT OR Apache-2.0",
            "created_at": "2022-02-02T00:00:00Z",
            "yanked": False,
            "rust_version": "1.70",
        },
        {"num": "1.1.0", "license": "MIT", "created_at": "2021-02-02T00:00:00Z", "yanked": True},
    ],
}
NEEDS = {
    "dependencies": [
        {"crate_id": "wire", "req": "^1", "kind": "normal", "optional": False},
        {"crate_id": "shade", "req": "^1", "kind": "normal", "optional": True},
        {"crate_id": "testing", "req": "^1", "kind": "dev", "optional": False},
    ]
}


@pytest.fixture
def packages(others: FakeServices) -> Packages:
    others.answers("https://pypi.org/pypi/lamp/json", PYPI)
    others.answers("https://pypi.org/pypi/lamp/1.0/json", OLD)
    npm = "https://registry.npmjs.org/@light%2Flamp"
    others.answers(npm, {"dist-tags": {"latest": "3.1.0"}, "versions": {"3.0.0": {}, "3.1.0": {}}})
    others.answers(f"{npm}/3.1.0", NPM_VERSION)
    others.answers("https://crates.io/api/v1/crates/lamp", CRATE)
    for version in ("1.2.0", "1.1.0"):
        others.answers(f"https://crates.io/api/v1/crates/lamp/{version}/dependencies", NEEDS)
    return Packages(others.services)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (
            {"registry": "pypi", "name": "lamp"},
            {
                "version": "2.0",
                "license": "MIT",
                "homepage": "https://lamp.example",
                "repository": "https://git.example/lamp",
                "released": "2021-01-01T00:00:00Z",
                "requires": "Python >=3.10",
                "dependencies": ("wire>=1",),
                "versions": ("2.0", "1.0", "0.1"),
                "withdrawn": "",
            },
        ),
        ({"registry": "pypi", "name": "lamp", "version": "1.0"}, {"version": "1.0", "withdrawn": "burns"}),
        (
            {"registry": "npm", "name": "@light/lamp", "most_versions": 1},
            {
                "version": "3.1.0",
                "license": "ISC",
                "repository": "https://git.example/lamp",
                "requires": "Node >=20",
                "dependencies": ("wire ^1.0.0",),
                "versions": ("3.1.0",),
                "withdrawn": "use candle",
                "truncated": True,
            },
        ),
        (
            {"registry": "crates", "name": "lamp"},
            {
                "version": "1.2.0",
                "license": "MIT OR Apache-2.0",
                "homepage": "https://docs.example/lamp",
                "requires": "Rust 1.70",
                "dependencies": ("wire ^1",),
                "versions": ("1.2.0", "1.1.0"),
            },
        ),
        ({"registry": "crates", "name": "lamp", "version": "1.1.0"}, {"withdrawn": "yanked", "latest": "1.2.0"}),
    ],
)
def test_a_package_is_described_alike_whatever_its_registry(
    packages: Packages, tmp_path: Path, arguments: dict[str, Any], expected: dict[str, Any]
) -> None:
    found = result_of(packages, "package_info", arguments, tmp_path)

    assert {name: getattr(found, name) for name in expected} == expected


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"registry": "pypi", "name": "candle"}, "PyPI has nothing at /pypi.org/pypi/candle/json (404"),
        ({"registry": "crates", "name": "lamp", "version": "9"}, "crates.io has no version '9' of 'lamp'"),
    ],
)
def test_what_a_registry_does_not_have_is_told(
    packages: Packages, tmp_path: Path, arguments: dict[str, Any], message: str
) -> None:
    assert message in failure_of(packages, "package_info", arguments, tmp_path)


LOCKS = {
    "requirements.txt": (
        "# a lock\nlamp[all]==2.0 ; python_version > '3' \\\n    --hash=x:00\nwire>=1\n",
        "PyPI",
    ),
    "packaging.lock": ("lamp==2.0\n", "PyPI"),
    "poetry.lock": (
        (
            '[[package]]\nname = "lamp"\nversion = "2.0"\n'
            '[package.source]\ntype = "legacy"\nurl = "https://packages.example/simple"\n'
            '[[package]]\nname = "shade"\nversion = "1"\n[package.source]\ntype = "directory"\nurl = "../shade"\n'
        ),
        "PyPI",
    ),
    "uv.lock": (
        (
            '[[package]]\nname = "me"\nversion = "1"\nsource = { editable = "." }\n'
            '[[package]]\nname = "lamp"\nversion = "2.0"\nsource = { registry = "https://pypi.org/simple" }\n'
            '[[package]]\nname = "shade"\nversion = "1"\nsource = { git = "https://git.example/shade" }\n'
        ),
        "PyPI",
    ),
    "Pipfile.lock": ('{"default": {"lamp": {"version": "==2.0"}}, "develop": {}}', "PyPI"),
    "Cargo.lock": (
        (
            '[[package]]\nname = "me"\nversion = "1.0.0"\n'
            '[[package]]\nname = "lamp"\nversion = "2.0"\nsource = "registry+https://x"\n'
        ),
        "crates.io",
    ),
    "package-lock.json": (
        '{"packages": {"": {"version": "1.0.0"}, "node_modules/a/node_modules/lamp": {"version": "2.0"}}}',
        "npm",
    ),
    "go.sum": ("lamp v2.0 h1:x=\nlamp v2.0/go.mod h1:y=\n", "Go"),
}


def asked_of(others: FakeServices, packages: Packages, folder: Path, name: str) -> list[tuple[str, str, str]]:
    """Return the packages that a lock file makes OSV be asked about."""

    def nothing(seen: Seen) -> Page:
        results: list[dict[str, Any]] = [{} for _ in json.loads(seen.body)["queries"]]
        return Page(json.dumps({"results": results}).encode(), "application/json")

    others.answers("https://api.osv.dev/v1/querybatch", nothing)
    assert result_of(packages, "find_vulnerabilities", {"lock_file": name}, folder).found == 0
    (asked,) = [json.loads(seen.body)["queries"] for seen in others.server.seen if seen.body]
    return [(one["package"]["ecosystem"], one["package"]["name"], one["version"]) for one in asked]


@pytest.mark.parametrize("name", list(LOCKS))
def test_what_a_lock_file_pins_from_a_registry_is_asked_about(
    others: FakeServices, packages: Packages, tmp_path: Path, name: str
) -> None:
    text, ecosystem = LOCKS[name]
    (tmp_path / name).write_text(text)

    assert asked_of(others, packages, tmp_path, name) == [(ecosystem, "lamp", "2.0")]


def test_all_of_an_old_lock_file_of_npm_is_asked_about(
    others: FakeServices, packages: Packages, tmp_path: Path
) -> None:
    (tmp_path / "package-lock.json").write_text(
        '{"dependencies": {"a": {"version": "1", "dependencies": {"b": {"version": "2"}}}}}'
    )

    assert asked_of(others, packages, tmp_path, "package-lock.json") == [("npm", "a", "1"), ("npm", "b", "2")]


ADVISORY = {
    "id": "GHSA-aaaa-bbbb-cccc",
    "aliases": ["CVE-2026-1"],
    "summary": "Lamps explode",
    "details": "At length.",
    "published": "2026-01-01T00:00:00Z",
    "database_specific": {"severity": "HIGH"},
    "severity": [{"type": "CVSS_V3", "score": "CVSS:3.1/AV:N"}],
    "affected": [
        {
            "package": {"ecosystem": "PyPI", "name": "lamp"},
            "ranges": [
                {"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "2.1"}]},
                {"type": "GIT", "events": [{"fixed": "abcdef"}]},
            ],
        },
        {"package": {"ecosystem": "npm", "name": "other"}, "ranges": [{"events": [{"fixed": "9"}]}]},
    ],
    "references": [{"type": "WEB", "url": "https://advisories.example/1"}],
}


def test_all_that_a_lock_file_pins_is_looked_up(others: FakeServices, packages: Packages, tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("lamp==2.0\nwire==1.0\n")

    def batch(seen: Seen) -> Page:
        queries = json.loads(seen.body)["queries"]
        if "page_token" in queries[0]:
            results: list[dict[str, Any]] = [{}]
        else:
            results = [{"vulns": [{"id": ADVISORY["id"]}], "next_page_token": "more"}, {}]
        return Page(json.dumps({"results": results}).encode(), "application/json")

    others.answers("https://api.osv.dev/v1/querybatch", batch)
    others.answers(f"https://api.osv.dev/v1/vulns/{ADVISORY['id']}", ADVISORY)

    report = result_of(packages, "find_vulnerabilities", {"lock_file": "requirements.txt"}, tmp_path)

    assert (report.checked, report.found, report.truncated) == (2, 1, False)
    (found,) = report.vulnerabilities
    assert (found.severity, found.fixed_in, found.packages) == ("high", ("2.1",), ("lamp 2.0",))
    sent = [json.loads(seen.body)["queries"] for seen in others.server.seen if seen.body]
    assert sent[0][1] == {"package": {"name": "wire", "ecosystem": "PyPI"}, "version": "1.0"}
    assert [query["page_token"] for query in sent[1]] == ["more"]


def test_a_vulnerability_is_read(others: FakeServices, packages: Packages, tmp_path: Path) -> None:
    others.answers(f"https://api.osv.dev/v1/vulns/{ADVISORY['id']}", ADVISORY)

    found = result_of(packages, "read_vulnerability", {"id": ADVISORY["id"]}, tmp_path)

    assert (found.aliases, found.severity, found.details) == (("CVE-2026-1",), "high", "At length.")
    assert [(item.name, item.introduced, item.fixed_in) for item in found.affected] == [
        ("lamp", ("0",), ("2.1",)),
        ("other", (), ("9",)),
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "expected a package or a lock file, got both or neither"),
        ({"package": "lamp", "lock_file": "requirements.txt"}, "got both or neither"),
        ({"lock_file": "empty.txt"}, "pins no package with its version"),
        ({"lock_file": "missing.txt"}, "missing.txt"),
        ({"lock_file": "notes.md"}, "expected a lock file (uv.lock, poetry.lock"),
        ({"lock_file": "uv.lock"}, "is broken, or of a version that is not known"),
        ({"package": "lamp"}, "OSV did not answer every question"),
    ],
)
def test_what_cannot_be_looked_up_is_told(
    others: FakeServices, packages: Packages, tmp_path: Path, arguments: dict[str, Any], message: str
) -> None:
    for name in ("empty.txt", "notes.md"):
        (tmp_path / name).write_text("lamp>=1\n")
    (tmp_path / "uv.lock").write_text("[[package")
    others.answers("https://api.osv.dev/v1/querybatch", {"results": []})

    assert message in failure_of(packages, "find_vulnerabilities", arguments, tmp_path)
