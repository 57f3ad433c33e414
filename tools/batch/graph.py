"""`ToolDependencyGraph`: which tools must have run before which, without a circle and always in the same order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, Final

from tools.batch.result import StepState
from tools.errors import DependencyCycleError, ToolNotFoundError
from tools.spec import ToolSpec

if TYPE_CHECKING:
    from tools.registry import ToolRegistry
    from tools.tool import Tool

_COLOURS: Final[Mapping[StepState, tuple[str, str]]] = {
    StepState.QUEUED: ("#ffffff", "#8b8fa3"),
    StepState.RUNNING: ("#e4e8fb", "#4053d6"),
    StepState.DONE: ("#e2f4ec", "#0b8a5f"),
    StepState.CACHED: ("#e2f4ec", "#0b8a5f"),
    StepState.FAILED: ("#fbe7ec", "#b3123e"),
    StepState.DENIED: ("#fbe7ec", "#b3123e"),
    StepState.TIMED_OUT: ("#fbe7ec", "#b3123e"),
    StepState.MAY_HAVE_RUN: ("#fdf1dc", "#a86a00"),
    StepState.CANCELLED: ("#f1f2f6", "#8b8fa3"),
    StepState.SKIPPED: ("#f1f2f6", "#8b8fa3"),
}
"""Fill and line of a step by its state; colour is not the only sign, the state is written below the name."""


class ToolDependencyGraph:
    """Hold the names of tools, or of the steps of a plan, and what each of them waits for.

    Every answer is in one order: dependencies first, and what does not depend on each other as it came into the graph.
    The graph has no circle at any time: the edge that would close one is refused, and nothing has changed then. What
    asks about a name that it does not have raises `ToolNotFoundError`.

    Source: seed 0, "Dependency Graph".
    """

    def __init__(self) -> None:
        self._needs_by_name: dict[str, dict[str, None]] = {}
        self._needed_by: dict[str, dict[str, None]] = {}

    def add(self, name: str) -> None:
        """Take a name in, which depends on nothing yet; one that is in stays as it is."""
        if name not in self._needs_by_name:
            self._needs_by_name[name] = {}
            self._needed_by[name] = {}

    def add_dependency(self, tool: str, depends_on: str) -> None:
        """Let a tool wait for another; names that are new come into the graph.

        Raises:
            DependencyCycleError: When the other waits for the tool already, or is the tool itself; the graph is as it
                was.
        """
        if circle := self._circle(tool, depends_on):
            raise DependencyCycleError(circle)
        self.add(depends_on)
        self.add(tool)
        self._link(tool, depends_on)

    def add_all(self, needs_by_name: Mapping[str, Iterable[str]]) -> None:
        """Take in many names with what each waits for, in a single look at all of them.

        Raises:
            DependencyCycleError: When they close a circle, among themselves or with what was there; the graph is as it
                was.
        """
        before = self._copied()
        for name in needs_by_name:
            self.add(name)
        for name, needs in needs_by_name.items():
            for other in needs:
                self.add(other)
                self._link(name, other)
        in_order = self.topological_order()
        if len(in_order) < len(self):
            circle = self._any_circle(set(in_order))
            self._needs_by_name, self._needed_by = before
            raise DependencyCycleError(circle)

    def register(self, tool: Tool | ToolSpec) -> None:
        """Take a tool in with everything it is declared to depend on.

        Raises:
            DependencyCycleError: When that would close a circle; the graph is as it was.
        """
        spec = tool if isinstance(tool, ToolSpec) else tool.spec
        self.add_all({spec.name: spec.depends_on})

    def auto_discover(self, registry: ToolRegistry) -> None:
        """Take in every tool of a registry with what it is declared to depend on.

        Raises:
            DependencyCycleError: When the declarations close a circle; the graph is as it was.
        """
        self.add_all({tool.name: tool.spec.depends_on for tool in registry})

    def topological_order(self) -> list[str]:
        """Return all names, each after everything it depends on."""
        place = {name: index for index, name in enumerate(self._needs_by_name)}
        missing = {name: len(needs) for name, needs in self._needs_by_name.items()}
        ready = [(place[name], name) for name, count in missing.items() if not count]
        heapify(ready)
        order: list[str] = []
        while ready:
            _, name = heappop(ready)
            order.append(name)
            for waiting in self._needed_by[name]:
                missing[waiting] -= 1
                if not missing[waiting]:
                    heappush(ready, (place[waiting], waiting))
        return order

    def get_dependencies(self, tool: str) -> list[str]:
        return list(self._found(tool, self._needs_by_name))

    def get_dependents(self, tool: str) -> list[str]:
        return list(self._found(tool, self._needed_by))

    def get_transitive_dependencies(self, tool: str) -> list[str]:
        """Return everything that must have run before a tool, over all steps between."""
        found = set(self.get_dependencies(tool))
        stack = list(found)
        while stack:
            fresh = [name for name in self._needs_by_name[stack.pop()] if name not in found]
            stack += fresh
            found.update(fresh)
        return [name for name in self.topological_order() if name in found]

    def get_execution_levels(self) -> list[list[str]]:
        """Return groups whose members could run at the same time: all they depend on is in groups before.

        They are for people to look at. A batch starts each step as soon as its own dependencies have ended.
        """
        level_by_name: dict[str, int] = {}
        levels: list[list[str]] = []
        for name in self.topological_order():
            level = max((level_by_name[other] + 1 for other in self._needs_by_name[name]), default=0)
            level_by_name[name] = level
            if level == len(levels):
                levels.append([])
            levels[level].append(name)
        return levels

    def to_dot(self, states: Mapping[str, StepState] | None = None) -> str:
        """Return the graph in Graphviz's language, an arrow from each name to what waits for it, coloured by states."""
        lines = ["digraph {", "  rankdir=TB;", '  node [shape=box, style="rounded,filled", fillcolor="#ffffff"];']
        lines += [f"  {_quoted(name)} [{_look(name, (states or {}).get(name))}];" for name in self]
        lines += [f"  {_quoted(needed)} -> {_quoted(name)};" for name, needed in self.edges]
        return "\n".join([*lines, "}", ""])

    @property
    def edges(self) -> list[tuple[str, str]]:
        return [(name, other) for name in self._needs_by_name for other in self._needs_by_name[name]]

    def __contains__(self, name: object) -> bool:
        return name in self._needs_by_name

    def __iter__(self) -> Iterator[str]:
        return iter(self._needs_by_name)

    def __len__(self) -> int:
        return len(self._needs_by_name)

    def _copied(self) -> tuple[dict[str, dict[str, None]], dict[str, dict[str, None]]]:
        needs, needed_by = (
            {name: dict(others) for name, others in edges.items()} for edges in (self._needs_by_name, self._needed_by)
        )
        return needs, needed_by

    def _link(self, name: str, needs: str) -> None:
        self._needs_by_name[name][needs] = None
        self._needed_by[needs][name] = None

    def _circle(self, tool: str, depends_on: str) -> tuple[str, ...]:
        """Return the shortest circle that an edge would close, each name waiting for the next; empty for none."""
        # From the tool to those that wait for it: a graph that is built in order has none of them yet.
        next_by_name = {tool: tool}
        queue = [tool] if depends_on in self else []
        for name in queue:
            for other in self._needed_by.get(name, ()):
                if other not in next_by_name:
                    next_by_name[other] = name
                    queue.append(other)
        if depends_on not in next_by_name:
            return ()
        circle = [tool, depends_on]
        while circle[-1] != tool:
            circle.append(next_by_name[circle[-1]])
        return tuple(circle)

    def _any_circle(self, free: set[str]) -> tuple[str, ...]:
        """Return a circle among the names that are in one or wait for one."""
        name = next(name for name in self._needs_by_name if name not in free)
        place_by_name: dict[str, int] = {}
        while name not in place_by_name:
            place_by_name[name] = len(place_by_name)
            name = next(other for other in self._needs_by_name[name] if other not in free)
        return (*list(place_by_name)[place_by_name[name] :], name)

    def _found(self, name: str, edges: dict[str, dict[str, None]]) -> dict[str, None]:
        found = edges.get(name)
        if found is None:
            raise ToolNotFoundError(
                f"the dependency graph has no {name!r}; add it with add({name!r}) or add_dependency(...)"
            )
        return found


def _look(name: str, state: StepState | None) -> str:
    shown = name.replace("&", "&amp;")
    if state is None:
        return f"label={_quoted(shown)}"
    fill, line = _COLOURS[state]
    dashed = ', style="rounded,filled,dashed"' if state is StepState.QUEUED else ""
    label = _quoted(f"{shown}\n{state.value.replace('_', ' ')}")
    return f'label={label}, fillcolor="{fill}", color="{line}"{dashed}'


def _quoted(text: str) -> str:
    """Return a text as one quoted identifier: nothing in it ends the quotes or means anything to the label."""
    safe = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "").replace("\0", "\ufffd")
    return f'"{safe}"'
