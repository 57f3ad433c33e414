"""Open and save pictures with Pillow, bounded."""

from __future__ import annotations

import warnings
from contextlib import contextmanager
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final, Literal

from tools.catalog._dry_runs import refuse_target, telling_failures
from tools.catalog._extras import optional
from tools.catalog._paths import need_file, need_parent, refusals, shown
from tools.catalog._tree import replacing
from tools.errors import ToolFailure
from tools.spec import Count, DryRun

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

MAX_PIXELS: Final = 100_000_000
"""Most pixels of a picture that is opened: a small file can hold a picture that takes all memory."""

MAX_SIDE: Final = 20_000

ImageFormat = Literal["png", "jpeg", "webp", "gif", "bmp", "tiff"]

_FORMAT_BY_SUFFIX: Final[Mapping[str, ImageFormat]] = {
    ".png": "png",
    ".jpg": "jpeg",
    ".jpeg": "jpeg",
    ".webp": "webp",
    ".gif": "gif",
    ".bmp": "bmp",
    ".tif": "tiff",
    ".tiff": "tiff",
}
_WITHOUT_TRANSPARENCY: Final = frozenset({"jpeg", "bmp"})


@contextmanager
def opened(path: Path, project_dir: Path) -> Iterator[Any]:
    """Have a picture open.

    Raises:
        ToolFailure: It is missing, no picture, or too large.
    """
    pillow = optional("PIL.Image", "images")
    need_file(path, project_dir)
    name = shown(path, project_dir)
    with refusals(f"read {name!r}"):
        content = BytesIO(path.read_bytes())
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            picture = pillow.open(content)
    except (pillow.UnidentifiedImageError, pillow.DecompressionBombError, ValueError, SyntaxError, OSError) as error:
        raise ToolFailure(f"{name!r} is no picture that can be read: {error}".partition("<_io")[0].rstrip()) from error
    with picture:
        if picture.width * picture.height > MAX_PIXELS:
            size = f"{picture.width:,} x {picture.height:,}"
            raise ToolFailure(f"{name!r} has {size} pixels; at most {MAX_PIXELS:,} are opened")
        try:
            yield picture
        except (OSError, ValueError, SyntaxError) as error:
            raise ToolFailure(f"{name!r} is damaged or cannot be changed so: {error}") from error


def upright(picture: Any) -> Any:
    """Return a picture turned as its camera says, so that width and height are those that people see."""
    return optional("PIL.ImageOps", "images").exif_transpose(picture)


def need_box(left: int, top: int, width: int, height: int, picture: Any) -> tuple[int, int, int, int]:
    """Return a box inside a picture.

    Raises:
        ToolFailure: It reaches beyond the picture.
    """
    if left + width > picture.width or top + height > picture.height:
        raise ToolFailure(
            f"expected a box inside {picture.width} x {picture.height} pixels, got {width} x {height} at {left}, {top}"
        )
    return left, top, left + width, top + height


def format_of(target: Path, project_dir: Path) -> ImageFormat:
    """Return the format that a file's name asks for.

    Raises:
        ToolFailure: It asks for none that can be written.
    """
    found = _FORMAT_BY_SUFFIX.get(target.suffix.lower())
    if found is None:
        known = ", ".join(_FORMAT_BY_SUFFIX)
        raise ToolFailure(f"expected a name that ends with one of {known}, got {shown(target, project_dir)!r}")
    return found


def save(picture: Any, target: Path, project_dir: Path, *, overwrite: bool, quality: int = 90) -> int:
    """Write a picture in the format that its name asks for, whole or not at all, and return its size in bytes.

    Raises:
        ToolFailure: The target is there already, or cannot be written.
    """
    kind = format_of(target, project_dir)
    need_parent(target, project_dir, create=False)
    refuse_target(target, project_dir, overwrite=overwrite)
    if kind in _WITHOUT_TRANSPARENCY:
        picture = _on_white(picture)
    elif picture.mode not in {"1", "L", "LA", "P", "RGB", "RGBA"}:
        picture = picture.convert("RGBA" if "A" in picture.mode else "RGB")
    content = BytesIO()
    settings = {"quality": quality} if kind in {"jpeg", "webp"} else {}
    picture.save(content, format=kind, **settings)
    with refusals(f"write {shown(target, project_dir)!r}"), replacing(target) as stream:
        stream.write(content.getvalue())
    return content.tell()


def _on_white(picture: Any) -> Any:
    """Return a picture without transparency, for formats that have none."""
    if picture.mode not in {"RGBA", "LA", "PA"} and "transparency" not in picture.info:
        return picture if picture.mode in {"L", "RGB"} else picture.convert("RGB")
    pillow = optional("PIL.Image", "images")
    layered = picture.convert("RGBA")
    white = pillow.new("RGBA", layered.size, "white")
    return pillow.alpha_composite(white, layered).convert("RGB")


@telling_failures
def picture_dry_run(arguments: Mapping[str, Any], project_dir: Path) -> DryRun:
    """Say which picture would be written."""
    target: Path = arguments["target"]
    need_file(arguments["source"], project_dir)
    format_of(target, project_dir)
    need_parent(target, project_dir, create=False)
    replaced = refuse_target(target, project_dir, overwrite=arguments["overwrite"])
    name = shown(target, project_dir)
    text = f"Replace the picture {name}." if replaced else f"Make the picture {name}."
    return DryRun(text, (Count("files", 1, "1 file"),), (name,))
