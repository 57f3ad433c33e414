"""`LazyTool`: a tool that is known by its card until its code is needed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, Final

from tools.tool import Tool

if TYPE_CHECKING:
    from pydantic import JsonValue

    from tools.card import ToolCard, ToolSource
    from tools.spec import Security

_FIELDS: Final = frozenset(field.name for field in fields(Tool))


class LazyTool(Tool):
    """Tool that answers from its card, and becomes an ordinary `Tool` when a field is read that the card lacks.

    Such a field is what runs, or what checks arguments: reading it imports the module of the toolkit, with the
    libraries that it works with. `importlib.util.LazyLoader` does the same with modules.

    Args:
        toolkit_description: What the toolkit's tools have in common.
        load: Returns the tool as its module declares it.
    """

    is_loaded = False

    def __init__(self, card: ToolCard, toolkit_description: str, load: Callable[[], Tool]) -> None:
        known: dict[str, Any] = {
            "card": card,
            "spec": card.spec,
            "isolation": card.isolation,
            "toolkit": card.toolkit,
            "toolkit_description": toolkit_description,
            "source": card.source,
            "owner": card.owner,
            "path_roles": card.path_roles,
            "shell_commands": card.shell_commands,
            "takes_folder": card.takes_folder,
            "replaces": card.replaces,
            "replaced_by": card.replaced_by,
            "_load": load,
        }
        if not card.has_probe:
            known["probe"] = None
        vars(self).update(known)

    @property
    def security(self) -> Security | None:
        """What its policies say of secrets and consent; None when they say nothing."""
        return self.card.policies.security

    @property
    def input_schema(self) -> dict[str, JsonValue]:
        return self.card.input_schema

    @property
    def output_schema(self) -> dict[str, JsonValue] | None:
        """The JSON Schema of its result; None when it returns nothing or nobody said."""
        return self.card.output_schema

    def giving_way(self, to: ToolSource) -> Tool:
        """Return this tool under its qualified name, also known by its card alone."""
        spec = self.card.spec.model_copy(update={"name": self.name_aside})
        load: Callable[[], Tool] = vars(self)["_load"]
        card = replace(self.card, spec=spec, replaced_by=to.name)
        return LazyTool(card, self.toolkit_description, lambda: load().giving_way(to))

    def __getattribute__(self, name: str) -> Any:
        if name in _FIELDS:
            known = object.__getattribute__(self, "__dict__")
            if name not in known:
                known.update(vars(known["_load"]()))
                object.__setattr__(self, "__class__", Tool)
        return object.__getattribute__(self, name)
