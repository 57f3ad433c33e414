"""Tools of this project. Add them with "Add a plugin file" in the window, or with --plugin on the command line."""

import json
from pathlib import Path
from typing import Annotated

from tools import Param, ToolContext, ToolExample, ToolFailure, tool, toolkit


@toolkit("Support", category="support")
class Support:
    """Look after customers and tickets."""

    @tool(read_only=True, latency="fast", examples=[ToolExample(input={"name": "Tanaka"})])
    def customer_profile(
        self, name: Annotated[str, Param("The customer's family name")], project_dir: Path, ctx: ToolContext
    ) -> dict:
        """Show what is known of a customer."""
        customers = json.loads((project_dir / "data" / "customers.json").read_text("utf-8"))["customers"]
        ctx.log("info", f"{len(customers)} customers looked through")
        for customer in customers:
            if customer["name"].casefold() == name.casefold():
                return customer
        raise ToolFailure(f"no customer is called {name!r}; there are " + ", ".join(item["name"] for item in customers))
