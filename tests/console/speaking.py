"""The language that a process of tests speaks, chosen before any other module of the window is imported.

`python -m pytest -p tests.console.speaking`, with TOOL_CONSOLE_TEST_LANGUAGE as a language's code, or as "marked": then
every text that passes a translation stands between marks.
"""

import os
from collections.abc import Mapping

from console import language

LANGUAGE = "TOOL_CONSOLE_TEST_LANGUAGE"
MARKED = "marked"
BEGIN, END = "⟦", "⟧"


class _Marked(language.Catalogue):
    def write(self, text: str, meaning: str, count: int, values: Mapping[str, object]) -> str:
        return f"{BEGIN}{super().write(text, meaning, count, values)}{END}"


_chosen = os.environ.get(LANGUAGE, "")
if _chosen == MARKED:
    language._catalogue = _Marked()
elif _chosen:
    language.use(_chosen)
