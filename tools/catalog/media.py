"""Look at audio and video files."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

from tools.catalog._paths import need_file, shown
from tools.catalog._probes import need_running
from tools.context import ToolContext
from tools.declare import tool, toolkit
from tools.errors import ToolFailure
from tools.programs import Captured, run_program
from tools.spec import Param, PathRole, ToolExample

_TIMEOUT_S: Final = 60.0
_MOST_BYTES: Final = 2_000_000
_MOST_STREAMS: Final = 100
_LONGEST_TAG: Final = 1_000


@dataclass(frozen=True)
class MediaStream:
    """One stream of a media file.

    Attributes:
        kind: `video`, `audio`, `subtitle` or another.
        codec: How it is encoded.
        language: Its language; None when it says none.
        width: Pixels across; None when it is no picture.
        height: Pixels down; None when it is no picture.
        frames_per_s: Pictures a second; None when it is no video.
        sample_rate_hz: Samples a second; None when it is no sound.
        channels: How many channels; None when it is no sound.
        bit_rate: Bits a second; None when it says none.
    """

    kind: str
    codec: str
    language: str | None
    width: int | None
    height: int | None
    frames_per_s: float | None
    sample_rate_hz: int | None
    channels: int | None
    bit_rate: int | None


@dataclass(frozen=True)
class MediaInfo:
    """What a media file holds.

    Attributes:
        path: The file.
        format: Its container, such as `wav` or `mov,mp4,m4a`.
        duration_s: How long it plays; None when it does not say.
        size_bytes: How large it is.
        bit_rate: Bits a second in all; None when it says none.
        streams: What it holds.
        tags: Title, artist and the like.
    """

    path: str
    format: str
    duration_s: float | None
    size_bytes: int
    bit_rate: int | None
    streams: tuple[MediaStream, ...]
    tags: dict[str, str]


@toolkit("Media", category="media")
class Media:
    """Look at audio and video files."""

    @tool(
        keywords=("audio", "video", "duration", "codec", "ffprobe", "mp3", "mp4"),
        latency="medium",
        probe="find_ffprobe",
        probe_on_request=True,
        needs=("ffprobe",),
        untried=True,
        read_only=True,
        open_world=False,
        timeout_s=90,
        examples=(
            ToolExample(
                input={"path": "README.md"},
                negative=True,
                description="A file of text",
                why_bad="It is no audio or video; file_info tells what any file is.",
            ),
            ToolExample(input={"path": "talks/opening.mp4"}, description="How long a video plays"),
        ),
    )
    async def media_info(
        self, path: Annotated[Path, Param("The audio or video file"), PathRole()], *, ctx: ToolContext
    ) -> MediaInfo:
        """Tell how long an audio or video file plays, its codecs, picture size, languages and tags.

        It needs the program ffprobe, which comes with FFmpeg.
        """
        name = shown(path, ctx.project_dir)
        need_file(path, ctx.project_dir)
        program = shutil.which("ffprobe")
        if program is None:
            raise ToolFailure("the program 'ffprobe' is not installed; install FFmpeg, then retry")
        stdout, stderr = Captured(_MOST_BYTES), Captured(4_000, keep_end=True)
        # Protocols are left out: a play list in the file may name addresses.
        end = await run_program(
            [
                *(program, "-v", "error", "-protocol_whitelist", "file", "-of", "json"),
                *("-show_format", "-show_streams", str(path)),
            ],
            cwd=ctx.project_dir,
            env=dict(os.environ),
            stdout=stdout,
            stderr=stderr,
            timeout_s=_TIMEOUT_S,
        )
        if end.timed_out or end.exit_code:
            why = "it took too long" if end.timed_out else stderr.text.strip().replace("\n", "; ") or "no reason given"
            raise ToolFailure(f"ffprobe cannot read {name!r}: {why}")
        try:
            said: dict[str, Any] = json.loads(stdout.text)
        except ValueError as error:
            raise ToolFailure(f"ffprobe says nothing that can be read of {name!r}") from error
        whole = said.get("format", {})
        tags = {key: str(value)[:_LONGEST_TAG] for key, value in whole.get("tags", {}).items()}
        streams = tuple(_stream(stream) for stream in said.get("streams", [])[:_MOST_STREAMS])
        return MediaInfo(
            name,
            whole.get("format_name", ""),
            _number(whole.get("duration")),
            path.stat().st_size,
            _whole(whole.get("bit_rate")),
            streams,
            tags,
        )

    async def find_ffprobe(self) -> None:
        """Let ffprobe say its version."""
        await need_running("ffprobe", "-version")


def _stream(said: dict[str, Any]) -> MediaStream:
    return MediaStream(
        said.get("codec_type", "unknown"),
        said.get("codec_name", "unknown"),
        said.get("tags", {}).get("language"),
        said.get("width"),
        said.get("height"),
        _ratio(said.get("avg_frame_rate", "")) if said.get("codec_type") == "video" else None,
        _whole(said.get("sample_rate")),
        said.get("channels"),
        _whole(said.get("bit_rate")),
    )


def _number(text: Any) -> float | None:
    try:
        return float(text)
    except (TypeError, ValueError):
        return None


def _whole(text: Any) -> int | None:
    number = _number(text)
    return None if number is None else int(number)


def _ratio(text: str) -> float | None:
    above, _, below = text.partition("/")
    numerator, denominator = _number(above), _number(below)
    return round(numerator / denominator, 3) if numerator and denominator else None
