"""Look at pictures and change them: size, part, format, direction; compare two, read the text in one."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from annotated_types import Ge, Le
from pydantic import StringConstraints

from tools.catalog._bounds import cut_text
from tools.catalog._extras import optional
from tools.catalog._images import MAX_SIDE, need_box, opened, picture_dry_run, save, upright
from tools.catalog._paths import need_file, shown
from tools.catalog._probes import need_running
from tools.catalog.files_write import overwrite_concerns
from tools.context import ToolContext
from tools.declare import tool, toolkit
from tools.errors import ToolFailure
from tools.programs import Captured, run_program
from tools.spec import Param, PathRole, ToolExample

Source = Annotated[Path, Param("The picture"), PathRole()]
Target = Annotated[Path, Param("The new picture; its ending says the format: png, jpg, webp, gif …"), PathRole(True)]
Overwrite = Annotated[bool, Param("Replace a file that already has this path")]
Side = Annotated[int, Ge(1), Le(MAX_SIDE)]

_LONGEST_VALUE: Final = 500
_MOST_TAGS: Final = 100
_OCR_TIMEOUT_S: Final = 120.0
_SAME_CHANNEL: Final = 0


@dataclass(frozen=True)
class ImageInfo:
    """What a picture is.

    Attributes:
        path: The file.
        format: Its format, such as `PNG`.
        width: Pixels from left to right, as people see it.
        height: Pixels from top to bottom, as people see it.
        mode: How a pixel is kept, such as `RGB` or `RGBA`.
        has_transparency: Whether parts of it may be transparent.
        frames: How many pictures it holds; more than one is an animation.
        dots_per_inch: Its resolution; None when it says none.
        size_bytes: How large the file is.
        camera: What its camera wrote (EXIF), by name.
    """

    path: str
    format: str
    width: int
    height: int
    mode: str
    has_transparency: bool
    frames: int
    dots_per_inch: tuple[float, float] | None
    size_bytes: int
    camera: dict[str, str]


@dataclass(frozen=True)
class MadeImage:
    """A picture that was written.

    Attributes:
        path: The file.
        width: Its width in pixels.
        height: Its height in pixels.
        size_bytes: How large the file is.
    """

    path: str
    width: int
    height: int
    size_bytes: int


@dataclass(frozen=True)
class ComparedImages:
    """How two pictures of one size differ.

    Attributes:
        identical: Whether no pixel differs.
        width: Their width in pixels.
        height: Their height in pixels.
        changed_pixels: How many pixels differ by more than the tolerance.
        changed_percent: The same in per cent.
        mean_difference: How far colours are apart on average; 0 is the same, 255 black against white.
        box: Left, top, right and bottom of the part that holds all differences; None when there are none.
    """

    identical: bool
    width: int
    height: int
    changed_pixels: int
    changed_percent: float
    mean_difference: float
    box: tuple[int, int, int, int] | None


@dataclass(frozen=True)
class RecognizedText:
    """The text in a picture.

    Attributes:
        text: What was read.
        language: The language that was expected.
        truncated: Whether the end is missing.
    """

    text: str
    language: str
    truncated: bool


@toolkit("Images", category="images")
class Images:
    """Look at pictures and change them; a change makes a new file."""

    @tool(
        keywords=("picture", "photo", "exif", "dimensions", "metadata", "size"),
        extra="images",
        latency="fast",
        read_only=True,
        open_world=False,
        timeout_s=30,
        examples=(
            ToolExample(
                input={"path": "pictures/sky.png"}, description="Size and format", output={"format": "PNG", "width": 40}
            ),
        ),
    )
    def image_info(self, path: Source, *, ctx: ToolContext) -> ImageInfo:
        """Tell a picture's size in pixels, format, colours, frames, resolution and what its camera wrote (EXIF)."""
        with opened(path, ctx.project_dir) as picture:
            seen = upright(picture)
            return ImageInfo(
                shown(path, ctx.project_dir),
                picture.format or "",
                seen.width,
                seen.height,
                picture.mode,
                picture.has_transparency_data,
                getattr(picture, "n_frames", 1),
                _resolution(picture.info.get("dpi")),
                path.stat().st_size,
                _camera(picture),
            )

    @tool(
        keywords=("scale", "shrink", "thumbnail", "picture", "photo"),
        extra="images",
        latency="medium",
        read_only=False,
        destructive=True,
        open_world=False,
        timeout_s=60,
        concerns=overwrite_concerns,
        dry_run=picture_dry_run,
        examples=(
            ToolExample(
                input={"source": "pictures/sky.png", "target": "pictures/small.png", "width": 20},
                description="Half as wide; the height follows",
                output={"width": 20, "height": 15},
            ),
            ToolExample(
                input={
                    "source": "pictures/sky.png",
                    "target": "pictures/square.jpg",
                    "width": 16,
                    "height": 16,
                    "fit": "cover",
                },
                description="A square that is filled; what sticks out is cut off",
            ),
        ),
    )
    def resize_image(
        self,
        source: Source,
        target: Target,
        *,
        width: Annotated[Side | None, Param("The new width; none follows from the height", unit="px")] = None,
        height: Annotated[Side | None, Param("The new height; none follows from the width", unit="px")] = None,
        fit: Annotated[
            Literal["inside", "cover", "stretch"],
            Param("With both given: keep all of it inside them, fill them and cut the rest off, or stretch it"),
        ] = "inside",
        overwrite: Overwrite = False,
        ctx: ToolContext,
    ) -> MadeImage:
        """Make a picture smaller or larger, and write it as a new file. Sides keep their relation unless stretched."""
        if width is None and height is None:
            raise ToolFailure("expected width, height or both; got neither")
        with opened(source, ctx.project_dir) as picture:
            seen = upright(picture)
            tall = height or max(1, round(seen.height * (width or 0) / seen.width))
            wide = width or max(1, round(seen.width * tall / seen.height))
            if max(wide, tall) > MAX_SIDE:
                raise ToolFailure(f"the result would have {wide:,} x {tall:,} pixels; a side has at most {MAX_SIDE:,}")
            operations = optional("PIL.ImageOps", "images")
            if seen.mode in {"1", "P"}:
                seen = seen.convert("RGBA" if seen.has_transparency_data else "RGB")
            match fit:
                case "cover":
                    made = operations.fit(seen, (wide, tall))
                case "inside" if width and height:
                    made = operations.contain(seen, (wide, tall))
                case _:
                    made = seen.resize((wide, tall))
            return _written(made, target, ctx, overwrite=overwrite)

    @tool(
        keywords=("cut", "trim", "part", "picture", "photo"),
        extra="images",
        latency="medium",
        read_only=False,
        destructive=True,
        open_world=False,
        timeout_s=60,
        concerns=overwrite_concerns,
        dry_run=picture_dry_run,
        examples=(
            ToolExample(
                input={
                    "source": "pictures/sky.png",
                    "target": "pictures/corner.png",
                    "left": 0,
                    "top": 0,
                    "width": 10,
                    "height": 10,
                },
                description="The upper left corner",
                output={"width": 10, "height": 10},
            ),
            ToolExample(
                input={
                    "source": "pictures/sky.png",
                    "target": "pictures/strip.png",
                    "left": 0,
                    "top": 5,
                    "width": 10,
                    "height": 2,
                },
                description="A strip",
            ),
        ),
    )
    def crop_image(
        self,
        source: Source,
        target: Target,
        left: Annotated[int, Ge(0), Le(MAX_SIDE), Param("Where the part begins, from the left", unit="px")],
        top: Annotated[int, Ge(0), Le(MAX_SIDE), Param("Where it begins, from the top", unit="px")],
        *,
        width: Annotated[Side, Param("How wide it is", unit="px")],
        height: Annotated[Side, Param("How high it is", unit="px")],
        overwrite: Overwrite = False,
        ctx: ToolContext,
    ) -> MadeImage:
        """Cut a rectangle out of a picture, and write it as a new file."""
        with opened(source, ctx.project_dir) as picture:
            seen = upright(picture)
            part = seen.crop(need_box(left, top, width, height, seen))
            return _written(part, target, ctx, overwrite=overwrite)

    @tool(
        keywords=("format", "png", "jpeg", "webp", "compress", "picture", "exif"),
        extra="images",
        latency="medium",
        read_only=False,
        destructive=True,
        open_world=False,
        timeout_s=60,
        concerns=overwrite_concerns,
        dry_run=picture_dry_run,
        examples=(
            ToolExample(
                input={"source": "pictures/sky.png", "target": "pictures/sky.jpg", "quality": 80},
                description="PNG to JPEG; what is transparent becomes white",
            ),
            ToolExample(
                input={"source": "pictures/sky.png", "target": "pictures/grey.webp", "colors": "grey"},
                description="In shades of grey",
            ),
        ),
    )
    def convert_image(
        self,
        source: Source,
        target: Target,
        *,
        colors: Annotated[
            Literal["keep", "rgb", "grey", "black_and_white"], Param("Which colours the new picture has")
        ] = "keep",
        quality: Annotated[int, Ge(1), Le(100), Param("Of JPEG and WebP; higher is larger and finer")] = 90,
        overwrite: Overwrite = False,
        ctx: ToolContext,
    ) -> MadeImage:
        """Write a picture in another format or in fewer colours. What its camera wrote (place, time) is left out."""
        modes = {"keep": "", "rgb": "RGB", "grey": "L", "black_and_white": "1"}
        with opened(source, ctx.project_dir) as picture:
            seen = upright(picture)
            made = seen.convert(modes[colors]) if modes[colors] else seen
            return _written(made, target, ctx, overwrite=overwrite, quality=quality)

    @tool(
        keywords=("turn", "flip", "mirror", "picture", "photo"),
        extra="images",
        latency="medium",
        read_only=False,
        destructive=True,
        open_world=False,
        timeout_s=60,
        concerns=overwrite_concerns,
        dry_run=picture_dry_run,
        examples=(
            ToolExample(
                input={"source": "pictures/sky.png", "target": "pictures/turned.png", "degrees": 90},
                description="A quarter to the right",
                output={"width": 30, "height": 40},
            ),
            ToolExample(
                input={"source": "pictures/sky.png", "target": "pictures/mirrored.png", "flip": "horizontal"},
                description="Left and right change places",
            ),
        ),
    )
    def rotate_image(
        self,
        source: Source,
        target: Target,
        *,
        degrees: Annotated[float, Ge(-360), Le(360), Param("How far clockwise")] = 0,
        flip: Annotated[Literal["none", "horizontal", "vertical"], Param("Mirror it first")] = "none",
        overwrite: Overwrite = False,
        ctx: ToolContext,
    ) -> MadeImage:
        """Turn a picture clockwise by any angle, or mirror it, and write it as a new file."""
        operations = optional("PIL.ImageOps", "images")
        with opened(source, ctx.project_dir) as picture:
            seen = upright(picture)
            if flip != "none":
                seen = operations.mirror(seen) if flip == "horizontal" else operations.flip(seen)
            return _written(seen.rotate(-degrees, expand=True), target, ctx, overwrite=overwrite)

    @tool(
        keywords=("difference", "diff", "screenshot", "visual", "regression"),
        extra="images",
        latency="medium",
        read_only=True,
        open_world=False,
        timeout_s=60,
        examples=(
            ToolExample(
                input={"first": "pictures/sky.png", "second": "pictures/sky.png"},
                description="A picture and itself",
                output={"identical": True, "changed_pixels": 0},
            ),
            ToolExample(
                input={"first": "pictures/sky.png", "second": "pictures/sky.png", "tolerance": 8},
                description="Small differences of colour let through",
            ),
        ),
    )
    def compare_images(
        self,
        first: Annotated[Path, Param("One picture"), PathRole()],
        second: Annotated[Path, Param("The other, of the same size"), PathRole()],
        *,
        tolerance: Annotated[
            int, Ge(0), Le(255), Param("How far a pixel's red, green or blue may be apart and count as the same")
        ] = 0,
        ctx: ToolContext,
    ) -> ComparedImages:
        """Compare two pictures pixel by pixel, such as two screenshots: how many differ, how much, and where."""
        operations = optional("PIL.ImageChops", "images")
        statistics = optional("PIL.ImageStat", "images")
        with opened(first, ctx.project_dir) as one, opened(second, ctx.project_dir) as other:
            if one.size != other.size:
                sizes = f"{one.width} x {one.height} and {other.width} x {other.height}"
                raise ToolFailure(f"expected two pictures of one size, got {sizes} pixels; resize one first")
            difference = operations.difference(one.convert("RGBA"), other.convert("RGBA"))
            red, green, blue, alpha = difference.split()
            worst = operations.lighter(operations.lighter(red, green), operations.lighter(blue, alpha))
            marked = worst.point([0 if value <= tolerance else 255 for value in range(256)])
            changed = one.width * one.height - marked.histogram()[0]
            return ComparedImages(
                worst.getextrema()[1] == _SAME_CHANNEL,
                one.width,
                one.height,
                changed,
                round(100 * changed / (one.width * one.height), 4),
                round(sum(statistics.Stat(difference).mean) / 4, 4),
                marked.getbbox(),
            )

    @tool(
        keywords=("ocr", "scan", "tesseract", "read", "picture"),
        latency="slow",
        probe="find_tesseract",
        probe_on_request=True,
        needs=("tesseract",),
        untried=True,
        read_only=True,
        open_world=False,
        timeout_s=150,
        examples=(
            ToolExample(
                input={"path": "README.md"},
                negative=True,
                description="A file of text",
                why_bad="It reads the text in pictures; read_file reads a file of text.",
            ),
            ToolExample(input={"path": "scans/letter.png", "language": "deu"}, description="A scanned German letter"),
        ),
    )
    async def recognize_text(
        self,
        path: Source,
        *,
        language: Annotated[
            str,
            StringConstraints(pattern=r"^[a-zA-Z_]{3,20}(\+[a-zA-Z_]{3,20}){0,4}$"),
            Param("Tesseract's word for the language, such as eng, deu or eng+fra"),
        ] = "eng",
        max_chars: Annotated[int, Ge(1), Le(1_000_000), Param("The most characters to return")] = 100_000,
        ctx: ToolContext,
    ) -> RecognizedText:
        """Read the printed text in a picture (OCR). It needs the program tesseract with the language's data."""
        need_file(path, ctx.project_dir)
        program = shutil.which("tesseract")
        if program is None:
            raise ToolFailure("the program 'tesseract' is not installed; install tesseract-ocr, then retry")
        stdout, stderr = Captured(4 * max_chars), Captured(4_000)
        end = await run_program(
            [program, str(path), "stdout", "-l", language],
            cwd=ctx.project_dir,
            env=dict(os.environ),
            stdout=stdout,
            stderr=stderr,
            timeout_s=_OCR_TIMEOUT_S,
        )
        if end.timed_out or end.exit_code:
            why = "it took too long" if end.timed_out else stderr.text.strip().replace("\n", "; ") or "no reason given"
            raise ToolFailure(f"tesseract cannot read {shown(path, ctx.project_dir)!r}: {why}")
        text, truncated = cut_text(stdout.text.strip(), max_chars, ctx)
        return RecognizedText(text, language, truncated or stdout.truncated)

    async def find_tesseract(self) -> None:
        """Let tesseract say its version."""
        await need_running("tesseract", "--version")


def _written(picture: Any, target: Path, ctx: ToolContext, *, overwrite: bool, quality: int = 90) -> MadeImage:
    size_bytes = save(picture, target, ctx.project_dir, overwrite=overwrite, quality=quality)
    return MadeImage(shown(target, ctx.project_dir), picture.width, picture.height, size_bytes)


def _resolution(said: Any) -> tuple[float, float] | None:
    try:
        across, down = said
        return round(float(across), 2), round(float(down), 2)
    except (TypeError, ValueError, ZeroDivisionError):
        return None


def _camera(picture: Any) -> dict[str, str]:
    names = optional("PIL.ExifTags", "images").TAGS
    found: dict[str, str] = {}
    for tag, value in list(picture.getexif().items())[:_MOST_TAGS]:
        text = value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
        found[str(names.get(tag, tag))] = text.strip("\0 ")[:_LONGEST_VALUE]
    return found
