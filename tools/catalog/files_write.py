"""Write, copy, move and delete files. Every tool here asks first."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import Field

from tools.catalog._bounds import ProgressThrottle, readable_size
from tools.catalog._documents import file_encoding, need_encoding
from tools.catalog._dry_runs import (
    append_dry_run,
    appended,
    check_transfer,
    copy_dry_run,
    delete_dry_run,
    encoded,
    make_folder_dry_run,
    move_dry_run,
    refuse_target,
    refuse_vital,
    write_dry_run,
)
from tools.catalog._paths import need_file, need_parent, refusals, shown, status_of
from tools.catalog._tree import copy_whole, delete_whole, measure, move_whole, replacing
from tools.catalog._walking import PathKind, kind_of
from tools.catalog.files_results import Deleted, MadeFolder, Moved, Written
from tools.context import ToolContext
from tools.declare import tool
from tools.errors import ToolFailure
from tools.spec import Concern, Latency, Param, PathRole, ToolExample

MAX_WRITTEN_CHARS: Final = 10_000_000

Overwrite = Annotated[bool, Param("Replace a file that already has this path")]
CreateFolders = Annotated[bool, Param("Make missing folders above it")]
Content = Annotated[str, Param("The text, written exactly as given"), Field(max_length=MAX_WRITTEN_CHARS)]


def overwrite_concerns(arguments: Mapping[str, Any], project_dir: Path) -> Iterator[Concern]:
    """Name the file that a write, copy or move would replace."""
    target = project_dir / arguments["target" if "target" in arguments else "path"]
    if not arguments["overwrite"] or not target.is_file():
        return
    status = target.stat()
    changed = datetime.fromtimestamp(status.st_mtime, UTC).astimezone()
    detail = f"{shown(target, project_dir)}, {readable_size(status.st_size)}, last changed {changed:%Y-%m-%d %H:%M}"
    yield Concern("overwrites", "Replaces a file", detail)


def append_concerns(arguments: Mapping[str, Any], project_dir: Path) -> Iterator[Concern]:
    """Name the file that an append would change."""
    target = project_dir / arguments["path"]
    if target.is_file():
        detail = f"Adds to the end of {shown(target, project_dir)}, {readable_size(target.stat().st_size)}"
        yield Concern("changes", "Changes a file", detail)


def transfer_concerns(arguments: Mapping[str, Any], project_dir: Path) -> Iterator[Concern]:
    """Say how much a copy or move of a folder touches, and what it replaces."""
    source = project_dir / arguments["source"]
    if source.is_dir():
        yield Concern("many_files", "A whole folder", f"{shown(source, project_dir)}: {measure(source)}")
    yield from overwrite_concerns(arguments, project_dir)


def delete_concerns(arguments: Mapping[str, Any], project_dir: Path) -> Iterator[Concern]:
    """Say how much a deletion takes away."""
    path = project_dir / arguments["path"]
    name = shown(path, project_dir)
    if path.is_symlink():
        yield Concern("deletes", "Deletes a link", f"{name}; what it leads to stays")
    elif path.is_dir():
        if arguments["recursive"]:
            yield Concern("deletes", "Deletes a folder", f"{name} with {measure(path)}; no copy is kept")
        elif not any(path.iterdir()):
            yield Concern("deletes", "Deletes an empty folder", name)
    elif path.exists():
        yield Concern("deletes", "Deletes a file", f"{name}, {readable_size(path.stat().st_size)}; no copy is kept")


class WritingFiles:
    """The tools that change files."""

    @tool(
        keywords=("save", "create", "text", "overwrite"),
        latency=Latency.FAST,
        read_only=False,
        destructive=True,
        open_world=False,
        timeout_s=60,
        concerns=overwrite_concerns,
        dry_run=write_dry_run,
        examples=(
            ToolExample(
                input={"path": "notes/today.md", "text": "# Today\n", "create_folders": True, "overwrite": True},
                description="A new file, or a new version of it",
            ),
            ToolExample(input={"path": "hello.txt", "text": "Hello\n"}, description="A file that must be new"),
        ),
    )
    def write_file(
        self,
        path: Annotated[Path, Param("The file"), PathRole(writes=True)],
        text: Content,
        *,
        overwrite: Overwrite = False,
        create_folders: CreateFolders = False,
        encoding: Annotated[str, Param("Text encoding")] = "utf-8",
        ctx: ToolContext,
    ) -> Written:
        """Write a text file in one go: readers see the old or the new version, never half of one."""
        used = need_encoding(encoding)
        content = encoded(text, used)
        need_parent(path, ctx.project_dir, create=create_folders)
        replaced = refuse_target(path, ctx.project_dir, overwrite=overwrite)
        with refusals(f"write {shown(path, ctx.project_dir)!r}"), replacing(path) as stream:
            stream.write(content)
        return Written(shown(path, ctx.project_dir), not replaced, len(content), len(content), used)

    @tool(
        keywords=("add", "log", "end", "text"),
        latency=Latency.FAST,
        idempotent=False,
        read_only=False,
        destructive=False,
        requires_confirmation=True,
        open_world=False,
        timeout_s=60,
        concerns=append_concerns,
        dry_run=append_dry_run,
        examples=(
            ToolExample(input={"path": "CHANGES.md", "text": "- One more line\n"}, description="A line at the end"),
            ToolExample(
                input={"path": "logs/run.log", "text": "done\n", "create_folders": True},
                description="A log that may be new",
            ),
        ),
    )
    def append_file(
        self,
        path: Annotated[Path, Param("The file; made when it is missing"), PathRole(writes=True)],
        text: Content,
        *,
        on_new_line: Annotated[bool, Param("End the last line first when it has no end")] = True,
        create_folders: CreateFolders = False,
        encoding: Annotated[str | None, Param("Text encoding; none takes the file's own, or utf-8")] = None,
        ctx: ToolContext,
    ) -> Written:
        """Add text to the end of a file."""
        name = shown(path, ctx.project_dir)
        need_parent(path, ctx.project_dir, create=create_folders)
        created = not os.path.lexists(path)
        found: str | None = None
        if not created:
            need_file(path, ctx.project_dir)
            with refusals(f"read {name!r}"):
                found = file_encoding(path)
            if found is None:
                raise ToolFailure(f"{name!r} is no text file, so no text can be added to it")
        used = need_encoding(encoding or found or "utf-8")
        with refusals(f"write {name!r}"), path.open("ab+") as stream:
            start = stream.seek(0, os.SEEK_END)
            content = appended(path, text, used, on_new_line=on_new_line)
            stream.write(content)
        return Written(name, created, len(content), start + len(content), used)

    @tool(
        keywords=("cp", "duplicate", "backup"),
        latency=Latency.MEDIUM,
        read_only=False,
        destructive=True,
        open_world=False,
        timeout_s=600,
        concerns=transfer_concerns,
        dry_run=copy_dry_run,
        examples=(
            ToolExample(
                input={"source": "README.md", "target": "README.bak", "overwrite": True}, description="A copy of a file"
            ),
            ToolExample(
                input={"source": "src", "target": "backup/src", "create_folders": True},
                description="A copy of a folder",
            ),
        ),
    )
    def copy_file(
        self,
        source: Annotated[Path, Param("The file or folder"), PathRole()],
        target: Annotated[Path, Param("Its new path, not the folder to put it in"), PathRole(writes=True)],
        *,
        overwrite: Overwrite = False,
        create_folders: CreateFolders = False,
        ctx: ToolContext,
    ) -> Moved:
        """Copy a file, or a folder with everything in it. The copy appears when it is complete."""
        replaced = _admitted(source, target, ctx, overwrite=overwrite, create_folders=create_folders)
        names = shown(source, ctx.project_dir), shown(target, ctx.project_dir)
        with refusals(f"copy {names[0]!r} to {names[1]!r}"):
            extent = copy_whole(source, target, ProgressThrottle(ctx, measure(source).size_bytes), ctx)
        return Moved(*names, extent.files, extent.folders, extent.size_bytes, replaced)

    @tool(
        keywords=("mv", "rename", "relocate"),
        latency=Latency.MEDIUM,
        idempotent=False,
        read_only=False,
        destructive=True,
        open_world=False,
        timeout_s=600,
        concerns=transfer_concerns,
        dry_run=move_dry_run,
        examples=(
            ToolExample(input={"source": "CHANGES.md", "target": "HISTORY.md"}, description="Another name for a file"),
            ToolExample(
                input={"source": "docs", "target": "manual/docs", "create_folders": True},
                description="A folder to another place",
            ),
        ),
    )
    def move_file(
        self,
        source: Annotated[Path, Param("The file, folder or link"), PathRole(writes=True)],
        target: Annotated[Path, Param("Its new path, not the folder to put it in"), PathRole(writes=True)],
        *,
        overwrite: Overwrite = False,
        create_folders: CreateFolders = False,
        ctx: ToolContext,
    ) -> Moved:
        """Move or rename a file, a folder or a link."""
        refuse_vital(source, ctx.project_dir, "move")
        replaced = _admitted(source, target, ctx, overwrite=overwrite, create_folders=create_folders)
        names = shown(source, ctx.project_dir), shown(target, ctx.project_dir)
        with refusals(f"move {names[0]!r} to {names[1]!r}"):
            extent = measure(source)
            move_whole(source, target, ProgressThrottle(ctx, extent.size_bytes), ctx)
        return Moved(*names, extent.files, extent.folders, extent.size_bytes, replaced)

    @tool(
        keywords=("rm", "remove", "unlink", "erase", "folder"),
        latency=Latency.FAST,
        idempotent=False,
        read_only=False,
        destructive=True,
        open_world=False,
        timeout_s=600,
        concerns=delete_concerns,
        dry_run=delete_dry_run,
        examples=(
            ToolExample(
                input={"path": "build", "recursive": True, "missing_ok": True}, description="A folder, if it is there"
            ),
            ToolExample(
                input={"path": ".", "recursive": True},
                description="The whole project",
                negative=True,
                why_bad="The project folder itself is never deleted; name what is in it.",
            ),
        ),
    )
    def delete_file(
        self,
        path: Annotated[Path, Param("The file, folder or link"), PathRole(writes=True)],
        *,
        recursive: Annotated[bool, Param("Delete a folder with everything in it")] = False,
        missing_ok: Annotated[bool, Param("Succeed when there is nothing to delete")] = False,
        ctx: ToolContext,
    ) -> Deleted:
        """Delete a file, a link or a folder. This cannot be undone."""
        name = shown(path, ctx.project_dir)
        refuse_vital(path, ctx.project_dir, "delete")
        if missing_ok and not os.path.lexists(path):
            return Deleted(f"Nothing to delete at {name}", name, 0, 0, 0)
        status_of(path, ctx.project_dir)
        if kind_of(path) is PathKind.FOLDER and not recursive:
            with refusals(f"list {name!r}"), os.scandir(path) as listing:
                if next(listing, None) is not None:
                    raise ToolFailure(f"{name!r} is a folder with {measure(path)}; pass recursive=true to delete it")
        extent = delete_whole(path, ctx)
        ctx.log("info", f"deleted {extent}")
        return Deleted(f"Deleted: {name}", name, extent.files, extent.folders, extent.size_bytes)

    @tool(
        keywords=("mkdir", "directory", "create"),
        latency=Latency.FAST,
        read_only=False,
        destructive=False,
        requires_confirmation=True,
        open_world=False,
        timeout_s=60,
        dry_run=make_folder_dry_run,
        examples=(
            ToolExample(
                input={"path": "reports/2026", "create_folders": True}, description="A folder and the one above it"
            ),
            ToolExample(input={"path": "output"}, description="A folder in the project"),
        ),
    )
    def make_folder(
        self,
        path: Annotated[Path, Param("The folder"), PathRole(writes=True)],
        *,
        create_folders: CreateFolders = False,
        ctx: ToolContext,
    ) -> MadeFolder:
        """Make a folder. One that is there already is fine."""
        name = shown(path, ctx.project_dir)
        if path.is_dir():
            return MadeFolder(name, created=False)
        if os.path.lexists(path):
            raise ToolFailure(f"cannot make the folder {name!r}: a file has that name; choose another")
        need_parent(path, ctx.project_dir, create=create_folders)
        with refusals(f"make the folder {name!r}"):
            path.mkdir(exist_ok=True)
        return MadeFolder(name, created=True)


def _admitted(source: Path, target: Path, ctx: ToolContext, *, overwrite: bool, create_folders: bool) -> bool:
    """Return whether a copy or move will replace a file, with the folder above it made."""
    replaces = check_transfer(source, target, ctx.project_dir, overwrite=overwrite)
    need_parent(target, ctx.project_dir, create=create_folders)
    return replaces
