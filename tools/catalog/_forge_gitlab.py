"""GitLab's REST API. Source: GitLab REST API v4."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from tools.catalog._answers import objects_at, part, text_at, texts_at, whole_at
from tools.catalog._forge_addresses import RepositoryAddress
from tools.catalog._forge_api import (
    LONGEST_NOTES,
    MOST_DIFF_BYTES,
    MOST_LOG_BYTES,
    ForgeBody,
    IssueFilter,
    Order,
    State,
    decoded_content,
    in_path,
)
from tools.catalog._services import NothingThereError, WebServices
from tools.catalog.forges_results import ChangedFile, CiJob, CiRun, Comment, IssueSummary, Release, RepositorySummary

if TYPE_CHECKING:
    from pydantic import JsonValue

    from tools.context import ToolContext

_A_PAGE: Final = 100
_STATES: Final[dict[State, str]] = {"open": "opened", "closed": "closed", "merged": "merged", "all": "all"}


class GitLab:
    """Ask GitLab.

    Args:
        ctx: The running call.
    """

    def __init__(self, ctx: ToolContext, services: WebServices, address: RepositoryAddress) -> None:
        self._ctx = ctx
        self._services = services
        self._address = address

    async def _get(self, path: str, /, **query: str | int | None) -> Any:
        place = f"{self._address.place}{path}"
        return await self._services.json(self._ctx, self._address.service, place, query=query)

    async def _post(self, path: str, json: Mapping[str, JsonValue]) -> Any:
        place = f"{self._address.place}{path}"
        return await self._services.json(self._ctx, self._address.service, place, method="POST", json=dict(json))

    async def search(self, words: str, order: Order, limit: int) -> tuple[list[RepositorySummary], int | None]:
        by = {"best": None, "stars": "star_count", "updated": "last_activity_at"}[order]
        answer = await self._services.json(
            self._ctx,
            self._address.service,
            "/projects",
            query={"search": words, "order_by": by, "per_page": min(limit + 1, _A_PAGE)},
        )
        found = [
            RepositorySummary(
                repository=text_at(item, "path_with_namespace"),
                url=text_at(item, "web_url"),
                description=text_at(item, "description"),
                stars=whole_at(item, "star_count") or 0,
                language="",
                license="",
                topics=texts_at(item, "topics"),
                updated_at=text_at(item, "last_activity_at"),
                archived=bool(part(item, "archived")),
            )
            for item in objects_at(answer)
        ]
        return found, None

    async def content(self, path: str, ref: str) -> str | list[str]:
        inside = in_path(path)
        if inside:
            try:
                answer = await self._get(f"/repository/files/{quote(inside, safe='%')}", ref=ref or "HEAD")
                return decoded_content(answer, path)
            except NothingThereError:
                pass
        found = objects_at(await self._get("/repository/tree", path=path.strip("/"), ref=ref, per_page=_A_PAGE))
        if inside and not found:
            raise NothingThereError(f"{self._address.url} has no file or folder {path!r}; check path and ref")
        return [text_at(item, "name") + ("/" if text_at(item, "type") == "tree" else "") for item in found]

    async def issues(self, wanted: IssueFilter) -> list[IssueSummary]:
        return [_summary(item) for item in objects_at(await self._listed("/issues", wanted))]

    async def _listed(self, path: str, wanted: IssueFilter, **more: str) -> Any:
        return await self._get(
            path,
            state=_STATES[wanted.state],
            search=wanted.words,
            labels=",".join(wanted.labels),
            order_by="updated_at",
            per_page=min(wanted.limit + 1, _A_PAGE),
            **more,
        )

    async def issue(self, number: int) -> ForgeBody:
        answer = await self._get(f"/issues/{number}")
        return ForgeBody(_summary(answer), text_at(answer, "description"), _names(answer, "assignees"))

    async def comments(self, number: int, limit: int, *, of_request: bool) -> list[Comment]:
        answer = await self._get(
            f"/{_kind(of_request=of_request)}/{number}/notes",
            sort="asc",
            order_by="created_at",
            activity_filter="only_comments",
            per_page=min(limit + 1, _A_PAGE),
        )
        return [
            Comment(text_at(item, "author", "username"), text_at(item, "created_at"), text_at(item, "body"))
            for item in objects_at(answer)
            if not part(item, "system")
        ]

    async def create_issue(self, title: str, text: str, labels: Sequence[str]) -> tuple[int, str]:
        answer = await self._post("/issues", {"title": title, "description": text, "labels": ",".join(labels)})
        return whole_at(answer, "iid") or 0, text_at(answer, "web_url")

    async def comment(self, number: int, text: str, *, of_request: bool) -> str:
        kind = _kind(of_request=of_request)
        answer = await self._post(f"/{kind}/{number}/notes", {"body": text})
        return f"{self._address.url}/-/{kind}/{number}#note_{text_at(answer, 'id')}"

    async def requests(self, wanted: IssueFilter, into: str) -> list[IssueSummary]:
        answer = await self._listed("/merge_requests", wanted, **({"target_branch": into} if into else {}))
        return [_summary(item) for item in objects_at(answer)]

    async def request(self, number: int) -> ForgeBody:
        answer = await self._get(f"/merge_requests/{number}")
        return ForgeBody(
            _summary(answer),
            text_at(answer, "description"),
            _names(answer, "assignees"),
            text_at(answer, "target_branch"),
            text_at(answer, "detailed_merge_status") or text_at(answer, "merge_status"),
        )

    async def _diffs(self, number: int) -> list[dict[str, Any]]:
        return objects_at(await self._get(f"/merge_requests/{number}/diffs", per_page=_A_PAGE))

    async def changed_files(self, number: int) -> tuple[list[ChangedFile], bool]:
        diffs = await self._diffs(number)
        return [_changed(item) for item in diffs], len(diffs) == _A_PAGE

    async def diff(self, number: int) -> tuple[str, bool]:
        diffs = await self._diffs(number)
        whole = "".join(map(_unified, diffs))
        return whole[:MOST_DIFF_BYTES], len(diffs) == _A_PAGE or len(whole) > MOST_DIFF_BYTES

    async def releases(self, limit: int) -> list[Release]:
        answer = await self._get("/releases", per_page=min(limit + 1, _A_PAGE))
        return [
            Release(
                tag=text_at(item, "tag_name"),
                name=text_at(item, "name"),
                published_at=text_at(item, "released_at"),
                prerelease=bool(part(item, "upcoming_release")),
                notes=text_at(item, "description")[:LONGEST_NOTES],
                assets=tuple(text_at(link, "url") for link in objects_at(item, "assets", "links")),
                url=text_at(item, "_links", "self"),
            )
            for item in objects_at(answer)
        ]

    async def runs(self, branch: str, *, failed_only: bool, limit: int) -> list[CiRun]:
        answer = await self._get(
            "/pipelines",
            ref=branch,
            status="failed" if failed_only else None,
            per_page=min(limit + 1, _A_PAGE),
        )
        return [_run(item) for item in objects_at(answer)]

    async def run(self, number: int) -> tuple[CiRun, list[CiJob], bool]:
        run = await self._get(f"/pipelines/{number}")
        answer = objects_at(await self._get(f"/pipelines/{number}/jobs", per_page=_A_PAGE))
        jobs = [
            CiJob(
                id=whole_at(item, "id") or 0,
                name=": ".join(filter(None, (text_at(item, "stage"), text_at(item, "name")))),
                status=text_at(item, "status"),
                failed_steps=tuple(filter(None, (text_at(item, "failure_reason"),))),
                log="",
                url=text_at(item, "web_url"),
            )
            for item in answer
        ]
        return _run(run), jobs, len(answer) == _A_PAGE

    async def log(self, job: int) -> str:
        place = f"{self._address.place}/jobs/{job}/trace"
        answer = await self._services.ask(
            self._ctx, self._address.service, place, max_bytes=MOST_LOG_BYTES, refuse_cut=False
        )
        return answer.text


def _kind(*, of_request: bool) -> str:
    return "merge_requests" if of_request else "issues"


def _names(item: Any, key: str) -> tuple[str, ...]:
    return tuple(text_at(person, "username") for person in objects_at(item, key))


def _summary(item: Any) -> IssueSummary:
    state = text_at(item, "state")
    return IssueSummary(
        number=whole_at(item, "iid") or 0,
        title=text_at(item, "title"),
        state="open" if state == "opened" else state,
        author=text_at(item, "author", "username"),
        labels=texts_at(item, "labels"),
        comments=whole_at(item, "user_notes_count"),
        branch=text_at(item, "source_branch"),
        created_at=text_at(item, "created_at"),
        updated_at=text_at(item, "updated_at"),
        url=text_at(item, "web_url"),
    )


def _run(item: Any) -> CiRun:
    return CiRun(
        id=whole_at(item, "id") or 0,
        name=text_at(item, "name") or "pipeline",
        branch=text_at(item, "ref"),
        commit=text_at(item, "sha"),
        status=text_at(item, "status"),
        event=text_at(item, "source"),
        created_at=text_at(item, "created_at"),
        url=text_at(item, "web_url"),
    )


def _changed(item: Any) -> ChangedFile:
    kinds = {"new_file": "added", "deleted_file": "removed", "renamed_file": "renamed"}
    change = next((words for key, words in kinds.items() if part(item, key)), "modified")
    lines = text_at(item, "diff").splitlines()
    return ChangedFile(
        text_at(item, "new_path"),
        change,
        sum(line.startswith("+") for line in lines),
        sum(line.startswith("-") for line in lines),
    )


def _unified(item: Any) -> str:
    old, new = text_at(item, "old_path"), text_at(item, "new_path")
    before = "/dev/null" if part(item, "new_file") else f"a/{old}"
    after = "/dev/null" if part(item, "deleted_file") else f"b/{new}"
    text = text_at(item, "diff")
    return f"diff --git a/{old} b/{new}\n--- {before}\n+++ {after}\n{text}{'' if text.endswith(chr(10)) else chr(10)}"
