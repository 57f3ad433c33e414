"""Tools of this project. Add them with "Add a plugin file" in the window, or with --plugin on the command line."""

import json
from pathlib import Path
from typing import Annotated, Literal

from tools import Param, ToolContext, ToolExample, ToolFailure, prompt, tool, toolkit


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

    @prompt(role="user")
    def draft_reply(
        self,
        ticket: Annotated[str, Param("What the customer wrote")],
        tone: Annotated[Literal["friendly", "formal"], Param("How the reply sounds")] = "friendly",
    ) -> str:
        """Ask for a reply to a ticket that a person reads before it is sent."""
        return (
            f"Write a {tone} reply to the ticket below.\n\n"
            "- Answer the question first, then say what happens next.\n"
            "- Promise nothing that is not in the ticket.\n"
            "- Leave a place for the signature.\n\n"
            f"Ticket:\n{ticket}"
        )
