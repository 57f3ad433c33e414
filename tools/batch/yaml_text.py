"""The YAML of a plan, changed where the plan changed: every other line stays as a person wrote it."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import YAMLError
from ruamel.yaml.scalarstring import DoubleQuotedScalarString

from tools.batch.plan import BatchPlan, Step

_DASH: Final = 2
"""How far the dashes of lists stand in, where nobody has written any."""
_TAKEN_FOR_SOMETHING: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff]")
"""Letters that end a line in YAML, or are none to it, unless they are escaped."""
_STAND_IN: Final = "steps-stand-here"


def yaml() -> YAML:
    """Return what reads and writes plans, and keeps comments and quotes."""
    reader = YAML(typ="rt")
    reader.preserve_quotes = True
    reader.width = 120
    return reader


def fresh(plan: BatchPlan) -> str:
    """Return a plan as it stands in a file that nobody has written in."""
    return _dumped(_commented(_value(plan, {})))


def rewritten(text: str, tree: Any, before: BatchPlan, plan: BatchPlan) -> str:
    """Return the text of a plan with what changed of it; the tree, which is the same read, is changed.

    Steps are cut out of the text with the comments above them, and are put together anew: one that did not change stays
    to the letter wherever it goes, and one that changed keeps the comments within it.
    """
    try:
        parts = _Parts.cut(text, tree)
        if parts is not None and plan.steps:
            return parts.put_together(before, plan)
    except (YAMLError, ValueError):
        # A step that means something only beside the others, such as one with an alias to another.
        pass
    return _dumped(_merged(tree, _value(plan, tree)))


class _Block(NamedTuple):
    """One step: the comments and empty lines above it, and its own lines."""

    above: str
    own: str


class _Parts(NamedTuple):
    """The text of a plan: what is before its steps, the steps, and what is behind them; and where their dashes are."""

    head: str
    blocks: list[_Block]
    tail: str
    dash: int

    @classmethod
    def cut(cls, text: str, tree: Any) -> _Parts | None:
        """Return the parts; None when the steps are no list of lines with a dash each."""
        steps = tree.get("steps") if isinstance(tree, CommentedMap) else None
        if not isinstance(steps, CommentedSeq) or not steps or steps.fa.flow_style():
            return None
        lines = text.splitlines(keepends=True)
        starts = [steps.lc.item(index) for index in range(len(steps))]
        dash = starts[0][1] - 2
        if any(column - 2 != dash or lines[line][:column].strip() != "-" for line, column in starts):
            return None
        key = tree.lc.key("steps")[0]
        begin, blocks = key + 1, list[_Block]()
        for index, (line, _) in enumerate(starts):
            upto = starts[index + 1][0] if index + 1 < len(starts) else len(lines)
            end = _end_of_step(lines, line, upto, dash)
            blocks.append(_Block("".join(lines[begin:line]), "".join(lines[line:end])))
            begin = end
        return cls("".join(lines[: key + 1]), blocks, "".join(lines[begin:]), dash)

    def put_together(self, before: BatchPlan, plan: BatchPlan) -> str:
        head, tail = self._around(before, plan)
        gap = sum(block.above.startswith("\n") for block in self.blocks[1:]) * 2 > max(1, len(self.blocks) - 1)
        first = len(self.blocks[0].above) - len(self.blocks[0].above.lstrip("\n"))
        texts = []
        for index, (step, known) in enumerate(zip(plan.steps, _known(before, plan), strict=True)):
            block = _Block("", "") if known is None else self.blocks[known]
            own = block.own if known is not None and before.steps[known] == step else self._written(step, block.own)
            above = block.above
            if known != index and (index == 0 or known == 0):
                above = "\n" * (first if index == 0 else gap) + above.lstrip("\n")
            elif known is None:
                above = "\n" * gap
            texts.append(above + (own if own.endswith("\n") else f"{own}\n"))
        return head + "".join(texts) + tail

    def _around(self, before: BatchPlan, plan: BatchPlan) -> tuple[str, str]:
        """Return what stands before and behind the steps of another plan."""
        old, new = (item.model_copy(update={"steps": ()}) for item in (before, plan))
        if old == new:
            return self.head, self.tail
        # The steps are in their place meanwhile, so that comments before and behind them stay where they are.
        tree = yaml().load(f"{self.head}{' ' * self.dash}- {_STAND_IN}\n{self.tail}")
        text = _dumped(_merged(tree, {**_value(new, tree), "steps": [_STAND_IN]}), self.dash)
        head, _, tail = text.partition(_STAND_IN)
        return head[: head.rindex("\n") + 1], tail.removeprefix("\n")

    def _written(self, step: Step, old: str) -> str:
        """Return the lines of a step that is new, or another one than before."""
        # Below a name like in the file, since comments know the column where they stand.
        item = yaml().load(f"steps:\n{old}")["steps"][0] if old else CommentedMap()
        text = _dumped(CommentedMap(steps=CommentedSeq([_merged(item, _value(step, item))])), self.dash)
        return text.removeprefix("steps:\n")


def _end_of_step(lines: list[str], start: int, upto: int, dash: int) -> int:
    """Return the line behind a step: what is above the next one, or no deeper than the dashes, is no part of it."""
    end = start + 1
    for number in range(start + 1, upto):
        line = lines[number]
        if not line.strip():
            continue
        if len(line) - len(line.lstrip(" ")) <= dash:
            break
        end = number + 1
    return end


def _known(before: BatchPlan, plan: BatchPlan) -> Iterator[int | None]:
    """Go through the steps of a plan: which of those before each is; None for one that is new.

    A step is found by its name; one with a new name is the next that is gone and calls the same tool.
    """
    places: dict[str, list[int]] = {}
    for index, step in enumerate(before.steps):
        places.setdefault(step.id, []).append(index)
    wanted = Counter(step.id for step in plan.steps)
    lost = [place for name, found in places.items() for place in found[wanted[name] :]]
    for step in plan.steps:
        found = places.get(step.id)
        if found:
            yield found.pop(0)
            continue
        place = next((place for place in lost if before.steps[place].tool == step.tool), None)
        if place is not None:
            lost.remove(place)
        yield place


def _value(model: BatchPlan | Step, tree: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a file says of a plan or a step: what is not as by default, and what it said before."""
    whole = model.model_dump(mode="json", by_alias=True)
    said = model.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    return {name: said.get(name, item) for name, item in whole.items() if name in said or name in tree}


def _merged(tree: Any, value: Any) -> Any:
    """Put a value into what a file had, so that what is the same keeps its comments and its form."""
    if _is_same(tree, value):
        return tree
    if isinstance(tree, CommentedMap) and isinstance(value, Mapping):
        for name in [name for name in tree if name not in value]:
            del tree[name]
        for name, item in value.items():
            tree[name] = _merged(tree.get(name), item)
        return tree
    if isinstance(tree, CommentedSeq) and isinstance(value, list):
        for index, item in enumerate(value[: len(tree)]):
            tree[index] = _merged(tree[index], item)
        for item in value[len(tree) :]:
            tree.append(_commented(item))
        while len(tree) > len(value):
            del tree[-1]
        return tree
    return _commented(value)


def _is_same(tree: Any, value: Any) -> bool:
    """Return whether a part of a file means a value; 1 and true are equal, and not the same."""
    if isinstance(tree, Mapping) and isinstance(value, Mapping):
        return tree.keys() == value.keys() and all(_is_same(tree[name], item) for name, item in value.items())
    if isinstance(tree, CommentedSeq) and isinstance(value, list):
        return len(tree) == len(value) and all(map(_is_same, tree, value))
    return isinstance(tree, bool) is isinstance(value, bool) and bool(tree == value)


def _commented(value: Any) -> Any:
    if isinstance(value, Mapping):
        return CommentedMap({_quoted(name): _commented(item) for name, item in value.items()})
    if isinstance(value, list):
        return CommentedSeq([_commented(item) for item in value])
    return _quoted(value) if isinstance(value, str) else value


def _quoted(text: str) -> str:
    """Return a text in the one form in which YAML leaves no letter of it out."""
    return DoubleQuotedScalarString(text) if _TAKEN_FOR_SOMETHING.search(text) else text


def _dumped(tree: Any, dash: int = _DASH) -> str:
    stream = io.StringIO()
    writer = yaml()
    writer.indent(mapping=2, sequence=dash + 2, offset=dash)
    writer.dump(tree, stream)
    return stream.getvalue()
