"""GitHub and GitLab, on the shapes of answers that they document, with values of our own."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from tests.tools.catalog.calling import Reviewer, call, failure_of, result_of
from tests.tools.catalog.services import FakeServices
from tests.tools.catalog.web_server import Page, Seen
from tools import CallStatus, ExitEarly, ToolFailure, resolve_tools
from tools.catalog._forge_addresses import repository_address
from tools.catalog.forges import Forges
from tools.catalog.forges_runs import log_excerpt
from tools.spec import DryRun

TOKEN = "sesame-0123456789"
GITHUB = "https://api.github.com/repos/light/lamp"
GITLAB = "https://gitlab.com/api/v4/projects/light%2Fkitchen%2Flamp"
AT_GITHUB = {"repository": "light/lamp"}
AT_GITLAB = {"repository": "https://gitlab.com/light/kitchen/lamp"}
BOTH = pytest.mark.parametrize("where", [AT_GITHUB, AT_GITLAB], ids=["github", "gitlab"])


def _user(login: str) -> dict[str, Any]:
    return {"login": login, "id": 1}


GITHUB_ISSUE = {
    "number": 7,
    "title": "Dark",
    "state": "open",
    "user": _user("ada"),
    "labels": [{"name": "bug"}],
    "assignees": [_user("bob")],
    "comments": 1,
    "created_at": "2026-01-01T00:00:00Z",
    "updated_at": "2026-01-02T00:00:00Z",
    "html_url": "https://github.com/light/lamp/issues/7",
    "body": "It is dark.",
}
GITLAB_ISSUE = {
    "id": 900,
    "iid": 7,
    "title": "Dark",
    "state": "opened",
    "author": {"username": "ada"},
    "labels": ["bug"],
    "assignees": [{"username": "bob"}],
    "user_notes_count": 1,
    "created_at": "2026-01-01T00:00:00Z",
    "updated_at": "2026-01-02T00:00:00Z",
    "web_url": "https://gitlab.com/light/kitchen/lamp/-/issues/7",
    "description": "It is dark.",
}
PULL = {
    **GITHUB_ISSUE,
    "merged_at": None,
    "head": {"ref": "brighter"},
    "base": {"ref": "main"},
    "mergeable": True,
    "mergeable_state": "clean",
}
MERGE = {**GITLAB_ISSUE, "source_branch": "brighter", "target_branch": "main", "detailed_merge_status": "mergeable"}
DIFF = "diff --git a/lamp.py b/lamp.py\n--- a/lamp.py\n+++ b/lamp.py\n@@ -1 +1 @@\n-dark\n+light\n"
LOG = "\n".join(
    [
        *(f"2026-01-01T00:00:{second:02d}.1234567Z step {second}" for second in range(40)),
        "2026-01-01T00:00:41.0000000Z \x1b[31mE   AssertionError: dark\x1b[0m",
        *(f"2026-01-01T00:01:{second:02d}.1234567Z after {second}" for second in range(10)),
        "2026-01-01T00:02:00.0000000Z ##[error]Process completed with exit code 1.",
        "",
    ]
)


def _diff_or_json(seen: Seen) -> Page:
    if seen.headers["accept"].endswith(".diff"):
        return Page(DIFF.encode(), "application/vnd.github.diff; charset=utf-8")
    return Page(json.dumps(PULL).encode(), "application/json")


@pytest.fixture
def forges(others: FakeServices, monkeypatch: pytest.MonkeyPatch) -> Forges:
    monkeypatch.setenv("GITHUB_TOKEN", TOKEN)
    monkeypatch.setenv("GITLAB_TOKEN", TOKEN)
    _fill_github(others)
    _fill_gitlab(others)
    return Forges(others.services)


def _fill_github(others: FakeServices) -> None:
    others.answers(f"{GITHUB}/issues", [{**GITHUB_ISSUE, "pull_request": {"url": "x"}}, GITHUB_ISSUE])
    others.answers("https://api.github.com/search/issues", {"total_count": 1, "items": [GITHUB_ISSUE]})
    others.answers(f"{GITHUB}/issues/7", GITHUB_ISSUE)
    others.answers(
        f"{GITHUB}/issues/7/comments", [{"user": _user("bob"), "created_at": "2026-01-02T00:00:00Z", "body": "Indeed."}]
    )
    others.answers(f"{GITHUB}/pulls", [PULL])
    others.answers(f"{GITHUB}/pulls/7", _diff_or_json)
    others.answers(
        f"{GITHUB}/pulls/7/files", [{"filename": "lamp.py", "status": "modified", "additions": 1, "deletions": 1}]
    )
    content = base64.encodebytes(b"one\ntwo\nthree\n").decode()
    others.answers(f"{GITHUB}/contents/src/lamp.py", {"type": "file", "encoding": "base64", "content": content})
    others.answers(f"{GITHUB}/contents/src", [{"name": "lamp.py", "type": "file"}, {"name": "shade", "type": "dir"}])
    others.answers(
        f"{GITHUB}/releases",
        [
            {
                "tag_name": "v2",
                "name": "Two",
                "published_at": "2026-01-01T00:00:00Z",
                "prerelease": False,
                "body": "Brighter.",
                "html_url": "https://github.com/light/lamp/releases/v2",
                "assets": [{"name": "lamp.zip", "browser_download_url": "https://github.com/light/lamp/lamp.zip"}],
            }
        ],
    )
    run = {
        "id": 55,
        "name": "Tests",
        "display_title": "Make it bright",
        "head_branch": "main",
        "head_sha": "abc",
        "event": "push",
        "status": "completed",
        "conclusion": "failure",
        "created_at": "2026-01-01T00:00:00Z",
        "html_url": "https://github.com/light/lamp/actions/runs/55",
    }
    others.answers(f"{GITHUB}/actions/runs", {"total_count": 1, "workflow_runs": [run]})
    others.answers(f"{GITHUB}/actions/runs/55", run)
    others.answers(
        f"{GITHUB}/actions/runs/55/jobs",
        {
            "total_count": 2,
            "jobs": [
                {"id": 1, "name": "lint", "status": "completed", "conclusion": "success", "steps": []},
                {
                    "id": 2,
                    "name": "test",
                    "status": "completed",
                    "conclusion": "failure",
                    "steps": [{"name": "pytest", "conclusion": "failure"}, {"name": "tidy", "conclusion": "success"}],
                },
            ],
        },
    )
    others.server.redirect("/api.github.com/repos/light/lamp/actions/jobs/2/logs", f"{others.origin}/storage/log")
    others.answers("storage/log", LOG)


def _fill_gitlab(others: FakeServices) -> None:
    others.answers(f"{GITLAB}/issues", [GITLAB_ISSUE])
    others.answers(f"{GITLAB}/issues/7", GITLAB_ISSUE)
    note = {"id": 3, "author": {"username": "bob"}, "created_at": "2026-01-02T00:00:00Z", "body": "Indeed."}
    for kind in ("issues", "merge_requests"):
        others.answers(f"{GITLAB}/{kind}/7/notes", [note, {**note, "body": "changed the title", "system": True}])
    others.answers(f"{GITLAB}/merge_requests", [MERGE])
    others.answers(f"{GITLAB}/merge_requests/7", MERGE)
    others.answers(
        f"{GITLAB}/merge_requests/7/diffs",
        [{"old_path": "lamp.py", "new_path": "lamp.py", "diff": "@@ -1 +1 @@\n-dark\n+light\n", "new_file": False}],
    )
    content = base64.b64encode(b"one\ntwo\nthree\n").decode()
    others.answers(f"{GITLAB}/repository/files/src%2Flamp.py", {"encoding": "base64", "content": content})

    def tree(seen: Seen) -> Page:
        found = [{"name": "lamp.py", "type": "blob"}, {"name": "shade", "type": "tree"}]
        return Page(json.dumps(found if "path=src&" in seen.path else []).encode(), "application/json")

    others.answers(f"{GITLAB}/repository/tree", tree)
    others.answers(
        f"{GITLAB}/releases",
        [
            {
                "tag_name": "v2",
                "name": "Two",
                "released_at": "2026-01-01T00:00:00Z",
                "description": "Brighter.",
                "upcoming_release": False,
                "assets": {"links": [{"name": "lamp.zip", "url": "https://gitlab.com/light/lamp.zip"}]},
                "_links": {"self": "https://gitlab.com/light/kitchen/lamp/-/releases/v2"},
            }
        ],
    )
    run = {
        "id": 55,
        "name": "Tests: Make it bright",
        "ref": "main",
        "sha": "abc",
        "source": "push",
        "status": "failed",
        "created_at": "2026-01-01T00:00:00Z",
        "web_url": "https://gitlab.com/x/-/pipelines/55",
    }
    others.answers(f"{GITLAB}/pipelines", [run])
    others.answers(f"{GITLAB}/pipelines/55", run)
    others.answers(
        f"{GITLAB}/pipelines/55/jobs",
        [
            {"id": 1, "name": "lint", "status": "success"},
            {"id": 2, "name": "test", "status": "failed", "failure_reason": "script_failure"},
        ],
    )
    others.answers(f"{GITLAB}/jobs/2/trace", LOG)


@BOTH
@pytest.mark.parametrize("more", [{}, {"query": "dark"}, {"state": "all", "labels": ["bug"]}])
def test_issues_are_listed_alike(forges: Forges, tmp_path: Path, where: dict[str, str], more: dict[str, Any]) -> None:
    found = result_of(forges, "list_issues", {**where, **more}, tmp_path)

    (issue,) = found.items
    assert (issue.number, issue.title, issue.state, issue.author) == (7, "Dark", "open", "ada")
    assert (issue.labels, issue.comments, found.truncated) == (("bug",), 1, False)


@BOTH
def test_an_issue_is_read_with_what_people_said(forges: Forges, tmp_path: Path, where: dict[str, str]) -> None:
    found = result_of(forges, "read_issue", {**where, "number": 7}, tmp_path)

    assert (found.text, found.assignees, found.truncated) == ("It is dark.", ("bob",), False)
    assert [(comment.author, comment.text) for comment in found.comments] == [("bob", "Indeed.")]


@BOTH
def test_a_request_is_listed_and_read_with_its_diff(forges: Forges, tmp_path: Path, where: dict[str, str]) -> None:
    listed = result_of(forges, "list_pull_requests", {**where, "into": "main"}, tmp_path)
    assert [(item.number, item.branch) for item in listed.items] == [(7, "brighter")]

    found = result_of(forges, "read_pull_request", {**where, "number": 7, "diff": True}, tmp_path)
    assert (found.into, found.mergeable, found.diff) == (
        "main",
        "clean" if where is AT_GITHUB else "mergeable",
        DIFF,
    )
    assert [(file.path, file.change, file.added, file.removed) for file in found.files] == [
        ("lamp.py", "modified", 1, 1)
    ]
    assert not found.truncated

    cut = result_of(
        forges, "read_pull_request", {**where, "number": 7, "diff": True, "max_diff_characters": 9}, tmp_path
    )
    assert (cut.diff, cut.truncated) == ("diff --gi", True)


def test_merged_pull_requests_are_searched(forges: Forges, others: FakeServices, tmp_path: Path) -> None:
    result_of(forges, "list_pull_requests", {**AT_GITHUB, "state": "merged", "labels": ["a b"]}, tmp_path)

    assert others.query["q"] == ' repo:light/lamp is:pr is:merged label:"a b"'


@BOTH
def test_files_and_folders_are_read(forges: Forges, tmp_path: Path, where: dict[str, str]) -> None:
    file = result_of(
        forges, "read_repository_file", {**where, "path": "src/lamp.py", "start_line": 2, "lines": 1}, tmp_path
    )
    assert (file.kind, file.text, file.lines, file.truncated) == ("file", "two\n", 3, True)

    folder = result_of(forges, "read_repository_file", {**where, "path": "src", "ref": "v2"}, tmp_path)
    assert (folder.kind, folder.entries) == ("folder", ("lamp.py", "shade/"))

    message = failure_of(forges, "read_repository_file", {**where, "path": "src/missing"}, tmp_path)
    assert "has no file or folder" in message or "has nothing at" in message
    assert "inside the repository" in failure_of(
        forges, "read_repository_file", {**where, "path": "../other"}, tmp_path
    )


def test_a_large_file_comes_by_itself(forges: Forges, others: FakeServices, tmp_path: Path) -> None:
    def large(seen: Seen) -> Page:
        if "raw" in seen.headers["accept"]:
            return Page(b"x" * 2_000_000, "application/vnd.github.raw+json")
        return Page(json.dumps({"type": "file", "encoding": "none", "content": ""}).encode(), "application/json")

    others.answers(f"{GITHUB}/contents/big", large)

    found = result_of(forges, "read_repository_file", {**AT_GITHUB, "path": "big"}, tmp_path)

    assert (len(found.text), found.truncated) == (200_000, True)


@BOTH
def test_releases_are_listed(forges: Forges, tmp_path: Path, where: dict[str, str]) -> None:
    (release,) = result_of(forges, "list_releases", where, tmp_path).releases

    assert (release.tag, release.notes, release.prerelease) == ("v2", "Brighter.", False)
    assert release.assets[0].endswith("lamp.zip")


@BOTH
def test_a_failed_run_shows_where_and_the_end_of_the_log(forges: Forges, tmp_path: Path, where: dict[str, str]) -> None:
    (run,) = result_of(forges, "list_ci_runs", {**where, "failed_only": True}, tmp_path).runs
    assert (run.id, run.name, run.branch) == (55, "Tests: Make it bright", "main")

    found = result_of(forges, "read_ci_run", {**where, "run": 55, "log_lines": 3}, tmp_path)
    passed, failed = found.jobs
    assert (passed.log, failed.name, failed.failed_steps) == (
        "",
        "test",
        ("pytest",) if where is AT_GITHUB else ("script_failure",),
    )
    assert failed.log.splitlines() == [
        "line 41: E   AssertionError: dark",
        "… 48 lines are left out …",
        "after 8",
        "after 9",
        "##[error]Process completed with exit code 1.",
    ]


def test_a_log_that_has_expired_takes_no_jobs_along(forges: Forges, others: FakeServices, tmp_path: Path) -> None:
    others.answers(f"{GITHUB}/actions/jobs/2/logs", {"message": "Gone"}, status=410)

    found = result_of(forges, "read_ci_run", {**AT_GITHUB, "run": 55}, tmp_path)

    assert "the log cannot be read" in found.jobs[1].log
    assert "(410: Gone)" in found.jobs[1].log


def test_an_excerpt_of_a_short_log_is_the_log() -> None:
    assert log_excerpt("a\nb\x1b[0m\n10%\r100%\n\n", 10) == "a\nb\n100%"


@BOTH
def test_the_token_goes_to_its_forge_and_nowhere_else(
    forges: Forges, others: FakeServices, tmp_path: Path, where: dict[str, str]
) -> None:
    result_of(forges, "list_releases", where, tmp_path)

    assert others.last.headers["authorization"] == f"Bearer {TOKEN}"

    others.answers("https://git.example.org/api/v3/repos/light/lamp/releases", [])
    others.answers("https://git.example.org/api/v4/projects/light%2Flamp/releases", [])
    for forge in ("github", "gitlab"):
        own = {"repository": "https://git.example.org/light/lamp", "forge": forge}
        result_of(forges, "list_releases", own, tmp_path)
        assert "authorization" not in others.last.headers


def test_a_forge_of_ones_own_has_a_key_of_its_own(
    forges: Forges, others: FakeServices, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITLAB_TOKEN_GIT_EXAMPLE_ORG", "open-0123456789")
    others.answers("https://git.example.org/api/v4/projects/light%2Flamp/releases", [])

    own = {"repository": "https://git.example.org/light/lamp/-/tree/main", "forge": "gitlab"}
    result_of(forges, "list_releases", own, tmp_path)

    assert others.last.headers["authorization"] == "Bearer open-0123456789"


@pytest.mark.parametrize(
    ("text", "kind", "found"),
    [
        ("light/lamp", "github", ("github", "github.com", "light/lamp")),
        ("light/lamp.git", "github", ("github", "github.com", "light/lamp")),
        ("a/b/c", "gitlab", ("gitlab", "gitlab.com", "a/b/c")),
        ("https://github.com/light/lamp/pull/7", "gitlab", ("github", "github.com", "light/lamp")),
        ("https://www.github.com/light/lamp", "github", ("github", "github.com", "light/lamp")),
        ("https://gitlab.com/a/b/c/-/issues/7", "github", ("gitlab", "gitlab.com", "a/b/c")),
        ("https://git.example.org:8443/a/b.git", "gitlab", ("gitlab", "git.example.org:8443", "a/b")),
    ],
)
def test_repositories_are_known_by_path_and_by_address(text: str, kind: Any, found: tuple[str, str, str]) -> None:
    address = repository_address(text, kind)

    assert (address.kind, address.host, address.path) == found


@pytest.mark.parametrize(
    "text", ["lamp", "a/b/c", "../x", "light/..", "http://github.com/a/b", "https://github.com/", "a b/c"]
)
def test_what_names_no_repository_is_refused(text: str) -> None:
    with pytest.raises(ToolFailure, match="expected"):
        repository_address(text, "github")


SEARCHES = {
    "github": ("https://api.github.com/search/repositories", {"q": "lamp", "sort": "stars", "per_page": "1"}),
    "gitlab": (
        "https://gitlab.com/api/v4/projects",
        {"search": "lamp", "order_by": "star_count", "per_page": "2"},
    ),
}


@pytest.mark.parametrize("forge", list(SEARCHES))
def test_repositories_are_searched(forges: Forges, others: FakeServices, tmp_path: Path, forge: str) -> None:
    address, sort = SEARCHES[forge]
    row = {"full_name": "light/lamp", "path_with_namespace": "light/lamp", "stargazers_count": 5, "star_count": 5}
    others.answers(address, {"total_count": 2, "items": [row, row]} if forge == "github" else [row, row])

    found = result_of(
        forges, "search_repositories", {"query": "lamp", "forge": forge, "order": "stars", "limit": 1}, tmp_path
    )

    assert [(item.repository, item.stars) for item in found.repositories] == [("light/lamp", 5)]
    assert found.truncated
    assert others.query == sort


WRITES: dict[str, tuple[dict[str, Any], dict[str, Any], dict[str, Any]]] = {
    "create_issue": (
        {"title": "Dark", "text": "It is.", "labels": ["bug", "new"]},
        {"title": "Dark", "body": "It is.", "labels": ["bug", "new"]},
        {"title": "Dark", "description": "It is.", "labels": "bug,new"},
    ),
    "add_comment": ({"number": 7, "text": "Fixed."}, {"body": "Fixed."}, {"body": "Fixed."}),
}


@BOTH
@pytest.mark.parametrize("tool", list(WRITES))
def test_what_is_written_is_asked_about_and_sent_once(
    forges: Forges, others: FakeServices, tmp_path: Path, where: dict[str, str], tool: str
) -> None:
    arguments, github, gitlab = WRITES[tool]
    made = {"number": 8, "iid": 8, "id": 3, "html_url": "https://github.com/x", "web_url": "https://gitlab.com/x"}
    start = GITHUB if where is AT_GITHUB else GITLAB
    others.answers(f"{start}/issues", made, status=201)
    others.answers(f"{start}/issues/7/comments", made, status=201)
    others.answers(f"{start}/issues/7/notes", made, status=201)
    refusing = Reviewer(ExitEarly("no"))
    assert call(forges, tool, {**where, **arguments}, tmp_path, refusing).status is CallStatus.DENIED
    assert others.server.seen == []

    reviewer = Reviewer()
    posted = result_of(forges, tool, {**where, **arguments}, tmp_path, reviewer)

    assert reviewer.kinds == ["confirmation", "sends_data"]
    assert [(seen.method, json.loads(seen.body)) for seen in others.server.seen] == [
        ("POST", github if where is AT_GITHUB else gitlab)
    ]
    assert posted.url


def test_a_dry_run_shows_what_would_be_written(forges: Forges, tmp_path: Path) -> None:
    tools = {tool.name: tool for tool in resolve_tools([forges])}
    arguments = {**AT_GITLAB, "title": "Dark", "text": "a\nb", "labels": [], "forge": "github"}

    look = tools["create_issue"].dry_run
    assert look is not None
    shown = look(arguments, tmp_path)

    assert isinstance(shown, DryRun)
    assert shown.text.startswith("Open an issue at https://gitlab.com/light/kitchen/lamp")
    assert shown.items == ("Dark", "a", "b")


@pytest.mark.parametrize(
    ("status", "headers", "message"),
    [
        (403, {"x-ratelimit-remaining": "0"}, "GitHub allows no more requests for now (403: no)"),
        (403, {}, "asks for a key (403: no); set GITHUB_TOKEN in the environment or the keyring"),
        (404, {}, "(404: no); if it is private, set GITHUB_TOKEN"),
    ],
)
def test_without_a_token_the_refusal_names_it(
    others: FakeServices, tmp_path: Path, status: int, headers: dict[str, str], message: str
) -> None:
    others.answers(f"{GITHUB}/releases", {"message": "no"}, status=status, headers=headers)

    assert message in failure_of(Forges(others.services), "list_releases", AT_GITHUB, tmp_path)
