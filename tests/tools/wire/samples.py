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
SEEN_WRONG = Result(ReceivedCall("call5abcd", "draw", {}), "Error: no ink", is_error=True, images=(PICTURE,))
NOTHING = Result(ReceivedCall("call6abcd", "hush", {}), "")
CARRIED = Result(
    ReceivedCall("call7abcd", "count", {}),
    '{"lines": 3}\n[attached: dots.csv, text/csv, 3 bytes]',
    structured={"lines": 3},
    attached=("[attached: dots.csv, text/csv, 3 bytes]",),
)
ALL_RESULTS = [PLAIN, WRONG, SHAPED, SEEN, SEEN_WRONG, NOTHING, CARRIED]
