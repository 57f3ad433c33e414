"""Conversations in their files, as former starts of the program left them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from tools.models.journal import Begun, ConversationFile
from tools.models.messages import Answer, UserMessage

if TYPE_CHECKING:
    from pathlib import Path


def keep_talk(folder: Path, name: str, turns: Iterable[tuple[str, str]], at: datetime) -> ConversationFile:
    """Keep a conversation with a model that nobody can reach.

    Args:
        folder: Where conversations are kept.
        name: What its file is called.
        turns: What the person said, and the answer.
        at: When all of that was said.
    """
    file = ConversationFile(folder / f"{name}.jsonl")
    lines: list[Begun | UserMessage | Answer] = [
        Begun(provider="compatible", model="m-1", address="http://127.0.0.1:9")
    ]
    for said, answer in turns:
        lines.append(UserMessage(text=said, at_s=at.timestamp()))
        lines.append(Answer(text=answer, model="m-1", at_s=at.timestamp()))
    folder.mkdir(parents=True, exist_ok=True)
    file.path.write_text("".join(f"{line.model_dump_json()}\n" for line in lines), encoding="utf-8")
    os.utime(file.path, (at.timestamp(), at.timestamp()))
    return file
