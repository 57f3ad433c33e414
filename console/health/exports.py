"""Write what the Health page shows to files; for threads that are not the window's."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from PySide6.QtCore import QBuffer, QByteArray
from PySide6.QtGui import QImage, QImageWriter

from console.health.rows import HealthRow
from tools.history.exporting import harmless

_CSV_COLUMNS: Final = (
    "tool",
    "source",
    "status",
    "success_rate",
    "p50_ms",
    "p95_ms",
    "p99_ms",
    "calls",
    "note",
    "since",
)


def csv_of(rows: Iterable[HealthRow]) -> str:
    """Write rows as CSV with a line of names: plain numbers, moments in ISO 8601, nothing for what is not known.

    Args:
        rows: In the order of the table.
    """
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(_CSV_COLUMNS)
    for row in rows:
        writer.writerow(
            [
                harmless(row.tool),
                harmless(row.source),
                row.status,
                row.success_rate,
                row.p50_ms,
                row.p95_ms,
                row.p99_ms,
                row.calls,
                harmless(row.note),
                row.since.isoformat() if row.since is not None else None,
            ]
        )
    return written.getvalue()


def png_of(image: QImage) -> bytes:
    """Return a picture as the content of a PNG file."""
    written = QByteArray()
    buffer = QBuffer(written)
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, QByteArray(b"png")).write(image)
    return bytes(written.data())


def write(path: Path, content: str | bytes) -> None:
    """Write a file; the lines of a text end as they do in it.

    Raises:
        OSError: It cannot be written.
    """
    path.write_bytes(content.encode() if isinstance(content, str) else content)
