"""Pictures of a few pixels, looked at pixel by pixel."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.tools.catalog.calling import Reviewer, failure_of, result_of
from tools.catalog.images import Images

RED, GREEN, BLUE, WHITE = (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a picture of three by two pixels: red, green and blue above white, red and green."""
    _written(tmp_path / "flag.png", [RED, GREEN, BLUE, WHITE, RED, GREEN])
    return tmp_path


def _written(path: Path, pixels: list[tuple[int, int, int]]) -> None:
    picture = Image.new("RGB", (3, 2))
    picture.putdata(pixels)
    picture.save(path)


def made(folder: Path, name: str, **arguments: Any) -> tuple[tuple[int, int], list[Any]]:
    """Return the size and the pixels of what a tool wrote."""
    given = {"source": "flag.png", "target": "made.png", "overwrite": True, **arguments}
    found = result_of(Images(), name, given, folder, Reviewer())
    with Image.open(folder / "made.png") as picture:
        width, height = picture.size
        assert (found.width, found.height) == (width, height)
        assert found.size_bytes == (folder / "made.png").stat().st_size
        return picture.size, [picture.getpixel((x, y)) for y in range(height) for x in range(width)]


def test_what_a_picture_is_is_told(folder: Path) -> None:
    found = result_of(Images(), "image_info", {"path": "flag.png"}, folder)

    assert (found.format, found.width, found.height, found.mode, found.frames) == ("PNG", 3, 2, "RGB", 1)
    assert (found.has_transparency, found.size_bytes) == (False, (folder / "flag.png").stat().st_size)


def test_a_part_is_cut_out(folder: Path) -> None:
    assert made(folder, "crop_image", left=1, top=0, width=2, height=1) == ((2, 1), [GREEN, BLUE])
    outside = {"source": "flag.png", "target": "made.png", "left": 2, "top": 0, "width": 2, "height": 1}
    assert "3" in failure_of(Images(), "crop_image", outside, folder, Reviewer())


def test_a_quarter_turn_goes_clockwise(folder: Path) -> None:
    assert made(folder, "rotate_image", degrees=90) == ((2, 3), [WHITE, RED, RED, GREEN, GREEN, BLUE])
    assert made(folder, "rotate_image", degrees=-90) == ((2, 3), [BLUE, GREEN, GREEN, RED, RED, WHITE])


def test_a_mirror_changes_sides(folder: Path) -> None:
    assert made(folder, "rotate_image", flip="horizontal")[1] == [BLUE, GREEN, RED, GREEN, RED, WHITE]
    assert made(folder, "rotate_image", flip="vertical")[1] == [WHITE, RED, GREEN, RED, GREEN, BLUE]


def test_grey_has_the_brightness_of_the_colours(folder: Path) -> None:
    # Source: ITU-R BT.601, section 2.5.1.
    assert made(folder, "convert_image", colors="grey") == ((3, 2), [76, 150, 29, 255, 76, 150])


@pytest.mark.parametrize(
    ("asked", "size"),
    [
        ({"width": 6}, (6, 4)),
        ({"height": 1}, (2, 1)),
        ({"width": 9, "height": 4, "fit": "inside"}, (6, 4)),
        ({"width": 4, "height": 4, "fit": "cover"}, (4, 4)),
        ({"width": 5, "height": 1, "fit": "stretch"}, (5, 1)),
    ],
)
def test_sizes_follow_what_is_asked_for(folder: Path, asked: dict[str, Any], size: tuple[int, int]) -> None:
    assert made(folder, "resize_image", **asked)[0] == size


def test_a_difference_is_measured_and_placed(folder: Path) -> None:
    _written(folder / "other.png", [RED, GREEN, BLUE, WHITE, RED, (0, 245, 0)])
    given = {"first": "flag.png", "second": "other.png"}

    found = result_of(Images(), "compare_images", given, folder)
    lenient = result_of(Images(), "compare_images", {**given, "tolerance": 10}, folder)

    assert (found.identical, found.changed_pixels, found.box) == (False, 1, (2, 1, 3, 2))
    assert found.changed_percent == pytest.approx(100 / 6, abs=0.0001)
    # Ten of one channel of four, in one pixel of six.
    assert found.mean_difference == pytest.approx(10 / 4 / 6, abs=0.0001)
    assert (lenient.changed_pixels, lenient.box) == (0, None)
