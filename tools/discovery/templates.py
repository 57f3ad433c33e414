"""Files to begin a tool with."""

from __future__ import annotations

import keyword
from pathlib import Path
from typing import Final, NamedTuple

from tools.errors import DiscoveryError
from tools.sentences import begin_sentence


class ToolTemplate(NamedTuple):
    """A file to begin with.

    Attributes:
        key: What it is called in code.
        title: What people read.
        description: When it is the one to take, in one sentence.
        text: The file; `{name}` is the tool, `{title}` the same as words, `{class_name}` the same as a class.
    """

    key: str
    title: str
    description: str
    text: str


_FUNCTION: Final = '''"""{title}."""

from typing import Annotated

from tools import Param, tool


@tool(read_only=True)
def {name}(
    text: Annotated[str, Param("The text to look at")],
    times: Annotated[int, Param("How often it is repeated")] = 1,
) -> str:
    """Repeat a text."""
    return " ".join([text] * times)
'''

_ASYNC: Final = '''"""{title}."""

import asyncio
from typing import Annotated

from tools import Param, ToolContext, tool


@tool(read_only=True)
async def {name}(
    steps: Annotated[int, Param("How many steps it takes")] = 3,
    *,
    ctx: ToolContext,
) -> list[str]:
    """Take some steps, and tell how far they are."""
    done: list[str] = []
    for number in range(1, steps + 1):
        ctx.progress(number, steps, f"step {{number}}")
        ctx.log("info", f"step {{number}} of {{steps}}")
        await asyncio.sleep(0.2)
        done.append(f"step {{number}}")
    return done
'''

_TOOLKIT: Final = '''"""{title}: tools that share something."""

from typing import Annotated

from tools import Param, tool, toolkit


@toolkit("{title}")
class {class_name}:
    """Notes that last as long as the process of these tools."""

    def __init__(self) -> None:
        self._notes: list[str] = []

    @tool(idempotent=False)
    def {name}_add(self, note: Annotated[str, Param("What is to be remembered")]) -> int:
        """Remember a note, and return how many there are."""
        self._notes.append(note)
        return len(self._notes)

    @tool(read_only=True)
    def {name}_list(self) -> list[str]:
        """Return all notes."""
        return list(self._notes)
'''

TEMPLATES: Final = (
    ToolTemplate("function", "A function", "One tool that takes arguments and returns a result.", _FUNCTION),
    ToolTemplate("async", "A coroutine with a context", "A tool that waits, tells its progress and logs.", _ASYNC),
    ToolTemplate("toolkit", "A toolkit class", "Several tools that share a state or a connection.", _TOOLKIT),
)
"""The templates, the plainest first."""

TEMPLATE_WORDS: Final = tuple((template.title, template.description) for template in TEMPLATES)
"""Title and description of each template."""


def name_problem(name: str) -> str:
    """Return why a tool cannot have a name; empty when it can."""
    if not name:
        return "a tool needs a name, such as count_words"
    if keyword.iskeyword(name):
        return f"{name!r} is a word of Python itself; take another one, such as {name}_tool"
    if not (name.isascii() and name.isidentifier()):
        return f"{name!r} cannot name a Python function; use letters, digits and _, and do not begin with a digit"
    if name.startswith("_"):
        return f"{name!r} begins with _, and such files and functions are passed over; take another letter"
    return ""


def write_tool_file(folder: Path, name: str, template: ToolTemplate) -> Path:
    """Write a file to begin a tool with; a file that is there stays.

    Args:
        folder: Where; made if need be.
        name: The tool, and the file without its ending.

    Raises:
        DiscoveryError: The name is no name, the file is there already or cannot be written.
    """
    problem = name_problem(name)
    if problem:
        raise DiscoveryError(problem)
    class_name = "".join(word.capitalize() for word in name.split("_"))
    return new_file(folder, name, template.text.format(name=name, title=title_of(name), class_name=class_name))


def title_of(name: str) -> str:
    """Return a name as words."""
    words = name.replace("_", " ").strip()
    return begin_sentence(words)


def new_file(folder: Path, name: str, text: str) -> Path:
    """Write a plugin file; one that is there stays.

    Raises:
        DiscoveryError: The file is there already or cannot be written.
    """
    path = folder / f"{name}.py"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        msg = f"{path} is there already and stays as it is; take another name"
        raise DiscoveryError(msg) from None
    except (OSError, ValueError) as error:
        # A path with a null character raises ValueError.
        why = error.strerror if isinstance(error, OSError) else error
        msg = f"{path} cannot be written: {why}; take another folder"
        raise DiscoveryError(msg) from error
    return path
