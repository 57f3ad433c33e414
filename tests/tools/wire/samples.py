"""Definitions and results that the tests of the wire share."""

from __future__ import annotations

from tools.catalog import builtin_tools
from tools.wire import Image, ReceivedCall, Result, definition_of

BUILT_IN = [definition_of(tool) for tool in builtin_tools()]

PICTURE = Image("image/png", b"\x89PNG")
PLAIN = Result(ReceivedCall("call1abcd", "shout", {"word": "tea"}), "TEA")
WRONG = Result(ReceivedCall("call2abcd", "shout", {}), "Error: word is missing", is_error=True)
SHAPED = Result(ReceivedCall("call3abcd", "count", {}), '{"lines": 3}', structured={"lines": 3})
SEEN = Result(ReceivedCall("call4abcd", "draw", {}), "a dot", images=(PICTURE,))
ALL_RESULTS = [PLAIN, WRONG, SHAPED, SEEN]
