"""Files that a tool makes out of others: whether they may be written, what a dry run says of them, writing them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from tools.catalog._bounds import readable_size
from tools.catalog._dry_runs import refuse_target, telling_failures
from tools.catalog._paths import need_file, need_parent, refusals, shown
from tools.catalog._tree import replacing
from tools.catalog.files_results import MadeFile
from tools.context import ToolContext
from tools.spec import Count, DryRun, Param, PathRole

Target = Annotated[Path, Param("The file to make"), PathRole(writes=True)]
Overwrite = Annotated[bool, Param("Replace a file that already has this path")]
CreateFolders = Annotated[bool, Param("Make missing folders above it")]


def made_file(target: Path, content: bytes, ctx: ToolContext, *, overwrite: bool, create_folders: bool) -> MadeFile:
    """Write a file in one go and return what it is.

    Args:
        ctx: The running call.
        overwrite: Whether a file there may be replaced.

    Raises:
        ToolFailure: It cannot be written.
    """
    name = shown(target, ctx.project_dir)
    need_parent(target, ctx.project_dir, create=create_folders)
    replaced = refuse_target(target, ctx.project_dir, overwrite=overwrite)
    with refusals(f"write {name!r}"), replacing(target) as stream:
        stream.write(content)
    return MadeFile(name, not replaced, len(content))


def target_told(arguments: Mapping[str, Any], project_dir: Path) -> DryRun:
    """Say which file would be made, and out of what.

    Raises:
        ToolFailure: It cannot be made.
    """
    sources = [arguments["path"]] if arguments.get("path") else list(arguments.get("paths") or ())
    for source in sources:
        need_file(source, project_dir)
    target: Path = arguments["target"]
    replaced = refuse_target(target, project_dir, overwrite=arguments["overwrite"])
    if not arguments["create_folders"]:
        need_parent(target, project_dir, create=False)
    name = shown(target, project_dir)
    out_of = f" out of {', '.join(shown(source, project_dir) for source in sources)}" if sources else ""
    verb = "Replace all of" if replaced else "Make the file"
    lost = f"What is in {target.name} now is lost: {readable_size(target.stat().st_size)}." if replaced else ""
    return DryRun(f"{verb} {name}{out_of}.", (Count("files", 1, "1 file"),), (name,), 0, (lost,) if lost else ())


target_dry_run = telling_failures(target_told)


@telling_failures
def change_dry_run(arguments: Mapping[str, Any], project_dir: Path) -> DryRun:
    """Say which file would be changed in place."""
    path: Path = arguments["path"]
    size = readable_size(need_file(path, project_dir).st_size)
    name = shown(path, project_dir)
    return DryRun(f"Change {name}, {size}, in place.", (Count("files", 1, "1 file"),), (name,))
