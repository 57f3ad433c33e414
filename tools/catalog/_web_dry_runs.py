"""What the web tools would send and write, told without a connection."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tools.catalog._bounds import readable_size
from tools.catalog._dry_runs import telling_failures
from tools.catalog._paths import shown
from tools.errors import ToolFailure
from tools.spec import Count, DryRun
from tools.web.addresses import host_of, parse_url
from tools.web.requests import WebRequest, checked_headers, with_body


@telling_failures
def request_dry_run(arguments: Mapping[str, Any], _project_dir: Path) -> DryRun:
    """Say what a request would send, and to whom."""
    target = parse_url(arguments["url"])
    method, host = arguments["method"], host_of(target)
    headers = checked_headers(arguments["headers"] or {})
    request = with_body(WebRequest(target, method, headers), arguments["json"], arguments["text"])
    size_bytes = len(request.body or b"")
    counts = [Count("hosts", 1, "1 host")]
    if size_bytes:
        counts.append(Count("bytes", size_bytes, f"{readable_size(size_bytes)} sent"))
    what = f" with {readable_size(size_bytes)} of data" if size_bytes else ""
    warnings = ("What is sent is not encrypted.",) if target.scheme == "http" else ()
    # The rest of an address may carry a key, so only its path is repeated.
    return DryRun(f"Send {method} to {host}{what}.", tuple(counts), (f"{method} {host}{target.path}",), 0, warnings)


@telling_failures
def download_dry_run(arguments: Mapping[str, Any], project_dir: Path) -> DryRun:
    """Say what a download would write, and where it comes from."""
    source = parse_url(arguments["url"])
    target: Path = arguments["target"]
    check_download_target(target, overwrite=arguments["overwrite"])
    name, host = shown(target, project_dir), host_of(source)
    most = readable_size(arguments["max_size_bytes"])
    lost = (f"What is in {target.name} now is lost.",) if target.exists() else ()
    return DryRun(
        f"Download a file of at most {most} from {host} to {name}.",
        (Count("hosts", 1, "1 host"), Count("files", 1, "1 file")),
        (name,),
        0,
        lost,
    )


def check_download_target(target: Path, *, overwrite: bool) -> None:
    """Check that a download can be put at a path.

    Raises:
        ToolFailure: It cannot.
    """
    if target.is_dir():
        raise ToolFailure(f"{target} is a folder; add the file's name to target")
    if target.exists() and not overwrite:
        raise ToolFailure(f"{target} exists; choose another name, or set overwrite to replace it")
    if not target.parent.is_dir():
        raise ToolFailure(f"the folder {target.parent} does not exist; make it first")
