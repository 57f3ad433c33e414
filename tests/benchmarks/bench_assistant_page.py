"""How long the window stands still while a model writes 10,000 tokens a second on the Assistant page.

Run with `python -m tests.benchmarks.bench_assistant_page [WORD...]`; words choose the answers whose names hold one. A
server in a process of its own speaks the format of Chat Completions, one event a token. The design allows no gap above
50 ms. `bench_assistant` measures the view of an answer alone.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Final

from console.assistant.rows import ModelRef
from console.theme import ThemeController
from tests.benchmarks.bench_window import TARGET_MS, Stage
from tests.benchmarks.window import end_process, open_console, run_in_window

TOKENS_PER_S: Final = 10_000
SECONDS: Final = 4
_TOKENS: Final = TOKENS_PER_S * SECONDS
_PACE_S: Final = 0.01
_SERVE: Final = "serve"
_PROSE: Final = (
    "## Part {number}\n\nThe order was **packed** and left the house in time; `router.py` wrote so at 09:21. "
    "Nothing else of it is known, and nobody asked for more until the evening.\n\n"
    "- the first point, with a [link](https://example.org)\n- the second one\n\n"
    "| Order | State |\n|---|---|\n| A-{number} | paid |\n\n"
)
ANSWERS: Final = {
    "prose": "".join(_PROSE.format(number=number) for number in range(900)),
    "one block of code": "```python\n" + "    total += item.price * item.count  # as billed\n" * 4_000 + "```\n",
    "one paragraph without an end": "the order left the house in time and " * 5_000,
}


def _tokens(text: str) -> Iterator[str]:
    """Yield as many tokens as are written, the text from its beginning again where it is too short."""
    at = 0
    for _ in range(_TOKENS):
        yield text[at : at + 4]
        at = at + 4 if at + 4 < len(text) else 0


def _event(delta: dict[str, str], stop: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": stop}
    body = {"id": "c", "created": 1, "model": "m", "object": "chat.completion.chunk", "choices": [choice]}
    return b"data: " + json.dumps(body).encode() + b"\n\n"


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    head = await reader.readuntil(b"\r\n\r\n")
    length = next((int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")), 0)
    asked = json.loads(await reader.readexactly(length)) if length else {}
    name = asked["messages"][-1]["content"]
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n")
    began = perf_counter()
    for sent, token in enumerate(_tokens(ANSWERS[name]), 1):
        writer.write(_event({"content": token}))
        if sent % round(TOKENS_PER_S * _PACE_S) == 0:
            await writer.drain()
            await asyncio.sleep(max(0.0, began + sent / TOKENS_PER_S - perf_counter()))
    writer.write(_event({}, "stop") + b"data: [DONE]\n\n")
    await writer.drain()
    writer.close()


async def _serve() -> None:
    server = await asyncio.start_server(_answer, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


async def _write(theme: ThemeController, home: Path, port: int, names: list[str]) -> bool:
    async with open_console(theme, home) as console:
        stage = Stage(console)
        console.window.rail.choose("assistant")
        while console.assistant.view is None:  # noqa: ASYNC110 -- widgets set no event
            await asyncio.sleep(0.05)
        view = console.assistant.view
        view.model_chosen.emit(ModelRef("compatible", "m", f"http://127.0.0.1:{port}"))
        for name in names:
            view.conversations.new_requested.emit()
            await asyncio.sleep(0.5)

            async def write(name: str = name) -> None:
                began = perf_counter()
                view.composer.prompt.setPlainText(name)
                view.composer.send.click()
                while not view.composer.stop.isVisible():  # noqa: ASYNC110 -- as above
                    await asyncio.sleep(0.005)
                while view.composer.stop.isVisible():  # noqa: ASYNC110 -- as above
                    await asyncio.sleep(0.02)
                print(f"{_TOKENS:,} tokens in {perf_counter() - began:.1f} s")

            await stage.measure(f"{name}, {TOKENS_PER_S:,} tokens a second", write, repeats=False)
        return stage.kept


def main(words: list[str]) -> bool:
    """Measure the answers that are chosen, and return whether every gap was within the target."""
    names = [name for name in ANSWERS if not words or any(word in name for word in words)]
    command = [sys.executable, "-m", "tests.benchmarks.bench_assistant_page", _SERVE]
    with (
        tempfile.TemporaryDirectory() as folder,
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server,
    ):
        try:
            port = int(next(iter(server.stdout or ())))
            return run_in_window(lambda theme: _write(theme, Path(folder), port, names))
        finally:
            server.kill()


if __name__ == "__main__":
    if sys.argv[1:] == [_SERVE]:
        asyncio.run(_serve())
    print("every gap within the target" if main(sys.argv[1:]) else f"some gaps above {TARGET_MS:.0f} ms")
    end_process()
