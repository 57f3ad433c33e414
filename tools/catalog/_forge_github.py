"""GitHub's REST API. Source: GitHub REST API, version 2022-11-28."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from tools.catalog._answers import number_at, objects_at, part, text_at, texts_at, whole_at
from tools.catalog._forge_addresses import RepositoryAddress
from tools.catalog._forge_api import (
    LONGEST_NOTES,
    MOST_DIFF_BYTES,
    MOST_LOG_BYTES,
    ForgeBody,
    IssueFilter,
    Order,
    decoded_content,
    in_path,
    text_of,
)
from tools.catalog._services import WebServices
from tools.catalog.forges_results import ChangedFile, CiJob, CiRun, Comment, IssueSummary, Release, RepositorySummary

if TYPE_CHECKING:
    from pydantic import JsonValue

    from tools.context import ToolContext

_A_PAGE: Final = 100
_MOST_PAGES: Final = 5


class GitHub:
    """Ask GitHub.

    Args:
        ctx: The running call.
    """

    def __init__(self, ctx: ToolContext, services: WebServices, address: RepositoryAddress) -> None:
        self._ctx = ctx
        self._services = services
        self._address = address

    async def _at(self, path: str, **query: str | int | None) -> Any:
        return await self._services.json(self._ctx, self._address.service, path, query=query)

    async def _get(self, path: str, **query: str | int | None) -> Any:
        return await self._at(f"{self._address.place}{path}", **query)

    async def _post(self, path: str, json: Mapping[str, JsonValue]) -> Any:
        place = f"{self._address.place}{path}"
        return await self._services.json(self._ctx, self._address.service, place, method="POST", json=dict(json))

    async def search(self, words: str, order: Order, limit: int) -> tuple[list[RepositorySummary], int | None]:
        answer = await self._at(
            "/search/repositories", q=words, sort=None if order == "best" else order, per_page=limit
        )
        found = [
            RepositorySummary(
                repository=text_at(item, "full_name"),
                url=text_at(item, "html_url"),
                description=text_at(item, "description"),
                stars=whole_at(item, "stargazers_count") or 0,
                language=text_at(item, "language"),
                license=text_at(item, "license", "spdx_id"),
                topics=texts_at(item, "topics"),
                updated_at=text_at(item, "pushed_at"),
                archived=bool(part(item, "archived")),
            )
            for item in objects_at(answer, "items")
        ]
        return found, whole_at(answer, "total_count")

    async def content(self, path: str, ref: str) -> str | list[str]:
        place = f"/contents/{in_path(path)}"
        answer = await self._get(place, ref=ref)
        if isinstance(answer, list):
            return [
                text_at(item, "name") + ("/" if text_at(item, "type") == "dir" else "") for item in objects_at(answer)
            ]
        if text_at(answer, "encoding") == "base64":
            return decoded_content(answer, path)
        # Files of more than a million bytes come only by themselves.
        raw = await self._services.ask(
            self._ctx,
            self._address.service,
            f"{self._address.place}{place}",
            query={"ref": ref},
            headers={"accept": "application/vnd.github.raw+json"},
        )
        return text_of(raw.body, path)

    async def issues(self, wanted: IssueFilter) -> list[IssueSummary]:
        if wanted.words:
            return await self._searched("issue", wanted, "")
        found: list[IssueSummary] = []
        for page in range(1, _MOST_PAGES + 1):
            answer = objects_at(
                await self._get(
                    "/issues",
                    state="closed" if wanted.state == "merged" else wanted.state,
                    labels=",".join(wanted.labels),
                    sort="updated",
                    direction="desc",
                    per_page=_A_PAGE,
                    page=page,
                )
            )
            # The list has pull requests as well.
            found += [_summary(item) for item in answer if part(item, "pull_request") is None]
            if len(answer) < _A_PAGE or len(found) > wanted.limit:
                break
        return found

    async def _searched(self, kind: str, wanted: IssueFilter, into: str) -> list[IssueSummary]:
        words = [wanted.words, f"repo:{self._address.path}", f"is:{kind}"]
        words += [] if wanted.state == "all" else [f"is:{wanted.state}"]
        words += [f'label:"{label}"' for label in wanted.labels]
        words += [f"base:{into}"] if into else []
        answer = await self._at(
            "/search/issues", q=" ".join(words), sort="updated", order="desc", per_page=min(wanted.limit + 1, _A_PAGE)
        )
        return [_summary(item) for item in objects_at(answer, "items")]

    async def issue(self, number: int) -> ForgeBody:
        answer = await self._get(f"/issues/{number}")
        return ForgeBody(_summary(answer), text_at(answer, "body"), _names(answer, "assignees"))

    async def comments(self, number: int, limit: int, *, of_request: bool) -> list[Comment]:  # noqa: ARG002 -- all are issues
        answer = await self._get(f"/issues/{number}/comments", per_page=min(limit + 1, _A_PAGE))
        return [
            Comment(text_at(item, "user", "login"), text_at(item, "created_at"), text_at(item, "body"))
            for item in objects_at(answer)
        ]

    async def create_issue(self, title: str, text: str, labels: Sequence[str]) -> tuple[int, str]:
        answer = await self._post("/issues", {"title": title, "body": text, "labels": list(labels)})
        return whole_at(answer, "number") or 0, text_at(answer, "html_url")

    async def comment(self, number: int, text: str, *, of_request: bool) -> str:  # noqa: ARG002 -- all are issues
        return text_at(await self._post(f"/issues/{number}/comments", {"body": text}), "html_url")

    async def requests(self, wanted: IssueFilter, into: str) -> list[IssueSummary]:
        if wanted.words or wanted.labels or wanted.state == "merged":
            return await self._searched("pr", wanted, into)
        answer = await self._get(
            "/pulls",
            state=wanted.state,
            base=into,
            sort="updated",
            direction="desc",
            per_page=min(wanted.limit + 1, _A_PAGE),
        )
        return [_summary(item) for item in objects_at(answer)]

    async def request(self, number: int) -> ForgeBody:
        answer = await self._get(f"/pulls/{number}")
        state = part(answer, "mergeable")
        words = "unknown" if state is None else text_at(answer, "mergeable_state") or str(state).lower()
        return ForgeBody(
            _summary(answer),
            text_at(answer, "body"),
            _names(answer, "assignees"),
            text_at(answer, "base", "ref"),
            words,
        )

    async def changed_files(self, number: int) -> tuple[list[ChangedFile], bool]:
        answer = objects_at(await self._get(f"/pulls/{number}/files", per_page=_A_PAGE))
        files = [
            ChangedFile(
                text_at(item, "filename"),
                text_at(item, "status"),
                whole_at(item, "additions") or 0,
                whole_at(item, "deletions") or 0,
            )
            for item in answer
        ]
        return files, len(answer) == _A_PAGE

    async def diff(self, number: int) -> tuple[str, bool]:
        answer = await self._services.ask(
            self._ctx,
            self._address.service,
            f"{self._address.place}/pulls/{number}",
            headers={"accept": "application/vnd.github.diff"},
            max_bytes=MOST_DIFF_BYTES,
            refuse_cut=False,
        )
        return answer.text, answer.truncated

    async def releases(self, limit: int) -> list[Release]:
        answer = await self._get("/releases", per_page=min(limit + 1, _A_PAGE))
        return [
            Release(
                tag=text_at(item, "tag_name"),
                name=text_at(item, "name"),
                published_at=text_at(item, "published_at"),
                prerelease=bool(part(item, "prerelease")),
                notes=text_at(item, "body")[:LONGEST_NOTES],
                assets=tuple(text_at(asset, "browser_download_url") for asset in objects_at(item, "assets")),
                url=text_at(item, "html_url"),
            )
            for item in objects_at(answer)
        ]

    async def runs(self, branch: str, *, failed_only: bool, limit: int) -> list[CiRun]:
        answer = await self._get(
            "/actions/runs",
            branch=branch,
            status="failure" if failed_only else None,
            per_page=min(limit + 1, _A_PAGE),
        )
        return [_run(item) for item in objects_at(answer, "workflow_runs")]

    async def run(self, number: int) -> tuple[CiRun, list[CiJob], bool]:
        run = await self._get(f"/actions/runs/{number}")
        answer = await self._get(f"/actions/runs/{number}/jobs", per_page=_A_PAGE)
        jobs = [
            CiJob(
                id=whole_at(item, "id") or 0,
                name=text_at(item, "name"),
                status=text_at(item, "conclusion") or text_at(item, "status"),
                failed_steps=tuple(
                    text_at(step, "name")
                    for step in objects_at(item, "steps")
                    if text_at(step, "conclusion") == "failure"
                ),
                log="",
                url=text_at(item, "html_url"),
            )
            for item in objects_at(answer, "jobs")
        ]
        return _run(run), jobs, (number_at(answer, "total_count") or 0) > len(jobs)

    async def log(self, job: int) -> str:
        place = f"{self._address.place}/actions/jobs/{job}/logs"
        answer = await self._services.ask(
            self._ctx, self._address.service, place, max_bytes=MOST_LOG_BYTES, refuse_cut=False
        )
        return answer.text


def _names(item: Any, key: str) -> tuple[str, ...]:
    return tuple(text_at(person, "login") for person in objects_at(item, key))


def _summary(item: Any) -> IssueSummary:
    merged = part(item, "merged_at") or part(item, "pull_request", "merged_at")
    return IssueSummary(
        number=whole_at(item, "number") or 0,
        title=text_at(item, "title"),
        state="merged" if merged else text_at(item, "state"),
        author=text_at(item, "user", "login"),
        labels=tuple(text_at(label, "name") for label in objects_at(item, "labels")),
        comments=whole_at(item, "comments"),
        branch=text_at(item, "head", "ref"),
        created_at=text_at(item, "created_at"),
        updated_at=text_at(item, "updated_at"),
        url=text_at(item, "html_url"),
    )


def _run(item: Any) -> CiRun:
    return CiRun(
        id=whole_at(item, "id") or 0,
        name=": ".join(filter(None, (text_at(item, "name"), text_at(item, "display_title")))),
        branch=text_at(item, "head_branch"),
        commit=text_at(item, "head_sha"),
        status=text_at(item, "conclusion") or text_at(item, "status"),
        event=text_at(item, "event"),
        created_at=text_at(item, "created_at"),
        url=text_at(item, "html_url"),
    )
