"""Name what `tools` and `console` declare and nothing but tests uses; `make lint` fails when there is any.

vulture goes by names: a name that is read anywhere counts as used everywhere. `[tool.vulture]` in pyproject.toml says
what it cannot see, with the reasons. Here is what it has no setting for: a package that hands a name on does not use
it, and the public face of `tools` is used by programs that are not here.
"""

from __future__ import annotations

import ast
import importlib
import sys
import tomllib
from pathlib import Path

from vulture.config import make_config
from vulture.core import Item, Vulture

ROOT = Path(__file__).parent.parent


class Usage(Vulture):  # type: ignore[misc]  # vulture has no types.
    """Collect what is declared and what is read, and take no `__all__` for a use."""

    def visit_Assign(self, node: ast.Assign) -> None:  # noqa: N802 -- ast calls it so.
        """Leave out what vulture does here: it counts the names in `__all__` as read."""

    def visit_keyword(self, node: ast.keyword) -> None:
        """Count what a tool or a toolkit names as its probe as read."""
        if node.arg == "probe" and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            self.used_names.add(node.value.value)


def public_names() -> set[tuple[str, str]]:
    """Return what is found by its name as (module, name): public names with the members of classes, and toolkits."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    embedding = project["tool"]["unused"]["embedding"]
    listed = [f"tools.{name}" for name in importlib.import_module("tools").__all__]
    toolkits = importlib.import_module("tools.catalog").TOOLKITS
    found = {(f"tools.catalog.{module}", name) for module, _, name in (path.partition(".") for path in toolkits)}
    for path in (*listed, *embedding):
        module, _, name = path.rpartition(".")
        value = getattr(importlib.import_module(module), name)
        found.add((getattr(value, "__module__", module), name))
        if isinstance(value, type):
            found |= {
                (owner.__module__, member)
                for owner in value.__mro__
                for member in (*vars(owner), *vars(owner).get("__annotations__", ()))
            }
    return found


def is_exempt(item: Item, root: Path, public: set[tuple[str, str]]) -> bool:
    """Say whether an unused name is meant for somebody else than the code here."""
    module = ".".join(item.filename.relative_to(root).with_suffix("").parts)
    # Models and people read the fields of what a built-in tool returns, and choose from its enumerations; programs
    # read the manifest, and the template of the style sheet reads tokens.
    is_read_elsewhere = module.startswith("tools.catalog.") or module in {"console.theme.tokens", "tools.manifest"}
    return (item.typ == "variable" and is_read_elsewhere) or (module, item.name) in public


def unused(root: Path = ROOT) -> list[str]:
    """Return the unused names of a tree that is laid out like this one, each with its place."""
    settings = make_config(["--config", str(ROOT / "pyproject.toml")])
    usage = Usage(ignore_names=settings["ignore_names"], ignore_decorators=settings["ignore_decorators"])
    usage.scavenge([root / path for path in settings["paths"]], exclude=settings["exclude"])
    public = public_names()
    return [item.get_report() for item in usage.get_unused_code() if not is_exempt(item, root, public)]


if __name__ == "__main__":
    sys.exit("\n".join(unused()) or None)
