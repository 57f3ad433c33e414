"""Leave out of the ICU data what Qt never asks for: names of zones, units, currencies and regions, and old encodings.

Qt links ICU, whose data takes 32 MB; Qt has such names itself, and uses ICU to sort and to change case.
`tool-console.spec` calls this. The library is built anew around the shorter data, by `ld` of binutils.

Source: ICU, `ucmndata.h` (the layout of common data) and "ICU Data" of its user guide (what each folder is for).
"""

from __future__ import annotations

import re
import struct
import subprocess
from pathlib import Path
from typing import Final

_LEFT_OUT: Final = re.compile(
    r"[^/]+/(?:(?:brkitr|curr|lang|rbnf|region|translit|unit|zone)/.*|[^/]+\.cnv|[^/]+\.spp|unames\.icu)"
)
_MAGIC: Final = b"\xda\x27"
_ENTRY: Final = struct.Struct("<II")
_ALIGNMENT: Final = 16


def shortened(data: bytes) -> bytes:
    """Return common data of ICU with fewer items.

    Args:
        data: All of it, in the byte order of x86 and Arm.

    Raises:
        ValueError: It is something else.
    """
    (header_bytes,) = struct.unpack_from("<H", data)
    if data[2:4] != _MAGIC or data[12:16] != b"CmnD":
        raise ValueError(f"expected common data of ICU, got bytes that begin with {data[:16]!r}")
    contents = data[header_bytes:]
    (count,) = struct.unpack_from("<I", contents)
    places = [_ENTRY.unpack_from(contents, 4 + _ENTRY.size * at) for at in range(count)]
    ends = [start for _, start in places[1:]] + [len(contents)]
    items = [
        (name, contents[start:end])
        for (name_at, start), end in zip(places, ends, strict=True)
        if not _LEFT_OUT.fullmatch((name := contents[name_at : contents.index(b"\0", name_at)]).decode())
    ]
    names = b"".join(name + b"\0" for name, _ in items)
    names_at = 4 + _ENTRY.size * len(items)
    # Items are as far from the beginning of an aligned place as before: the header counts as well.
    start = _aligned(header_bytes + names_at + len(names)) - header_bytes
    table, body = [struct.pack("<I", len(items))], []
    for name, item in items:
        table.append(_ENTRY.pack(names_at, start))
        names_at += len(name) + 1
        padded = item.ljust(_aligned(len(item)), b"\xaa")
        body.append(padded)
        start += len(padded)
    front = b"".join(table) + names
    front = front.ljust(_aligned(header_bytes + len(front)) - header_bytes, b"\xaa")
    return data[:header_bytes] + front + b"".join(body)


def _aligned(size: int) -> int:
    return -(-size // _ALIGNMENT) * _ALIGNMENT


def write_shortened(library: Path, target: Path) -> None:
    """Write a library that holds ICU's data anew, with less of it.

    Args:
        library: `libicudata.so` of some version.
        target: Where it goes; its folder is used for what comes before.

    Raises:
        ValueError: The library holds something else.
    """
    content = library.read_bytes()
    # The data is all that the library has besides its own tables, and begins on a page.
    begin = next((at for at in range(0, len(content), 4096) if content[at + 2 : at + 4] == _MAGIC), None)
    symbol = re.search(rb"icudt\d+_dat", content)
    name = re.search(rb"libicudata\.so\.\d+", content)
    if begin is None or symbol is None or name is None:
        raise ValueError(f"expected ICU's data in {library}, and found none")
    blob, part = target.with_name("icudata"), target.with_name("icudata.o")
    blob.write_bytes(shortened(content[begin:]))
    start = f"--defsym={symbol[0].decode()}=_binary_{blob.name}_start"
    for words in (
        ["-r", "-b", "binary", "-o", part.name, blob.name],
        [
            "-shared",
            "-soname",
            name[0].decode(),
            "-z",
            "noexecstack",
            "-Tdata=0x10000",
            start,
            "-o",
            target.name,
            part.name,
        ],
    ):
        subprocess.run(["ld", *words], cwd=target.parent, check=True)
    blob.unlink()
    part.unlink()
