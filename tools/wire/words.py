"""Findings in words, for the command line and the window alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tools.wire.fidelity import Fix

if TYPE_CHECKING:
    from tools.wire.fidelity import FidelityFinding

FIX_WORDS: Final = {
    Fix.INLINE: "write what it leads to in its place",
    Fix.CUT: "end it here, as it goes on for ever or too deep",
    Fix.MERGE: "join its members into one schema",
    Fix.ANY_OF: "write it as anyOf",
    Fix.NULLABLE: "say nullable instead of null, or leave the argument out",
    Fix.DESCRIBE: "say it in the description",
    Fix.REMOVE: "leave it out; the tool checks it anyway",
    Fix.ADD_TYPE: "say the type",
    Fix.ADD_ITEMS: "say what the array holds",
    Fix.WIDEN: "allow any of its values everywhere",
    Fix.SCALARS: "allow text, numbers and true or false",
    Fix.MOVE_INSIDE: "move what stands beside it into its members",
    Fix.CLOSE: "allow no other properties",
    Fix.REQUIRE: "require it, and allow null",
    Fix.REQUIRE_ONE: "require the first argument, which a model gives its usual value then",
    Fix.AS_TEXT: "have the object written as JSON text",
    Fix.RENAME: "write it in allowed letters",
    Fix.FOLD: "put it into the description",
    Fix.BY_HAND: "change the tool itself; no rewrite keeps what it means",
}
"""The smallest change for each fix, as something to do."""


def fix_words(fix: Fix) -> str:
    """Return the smallest change, as something to do."""
    return FIX_WORDS[fix]


def finding_line(finding: FidelityFinding) -> str:
    """Return one finding on one line."""
    return f"{finding.effect.value}  {finding.keyword} at {finding.pointer or '/'}: {fix_words(finding.fix)}"
