"""One rule as the TOML text that a person reads and edits, and back."""

from __future__ import annotations

import tomllib

from pydantic import ValidationError

from tools.errors import PolicyError
from tools.policy.file import from_toml, problem_words, to_toml
from tools.policy.rules import Rule


def rule_text(rule: Rule) -> str:
    """Return a rule as TOML, without the id that only lists and records need."""
    import tomlkit  # noqa: PLC0415 -- whoever only reads rules needs no library that writes them

    return tomlkit.dumps({name: value for name, value in to_toml(rule).items() if name != "id"})


def rule_from_text(text: str, rule_id: str) -> Rule:
    """Return the rule that a TOML text means.

    Args:
        text: What a rule's table in the file has, without its heading.

    Raises:
        PolicyError: When it is no TOML, or no rule; every problem is named.
    """
    try:
        given = from_toml(tomllib.loads(text))
        return Rule.model_validate({**given, "id": rule_id})
    except ValidationError as error:
        problems = error.errors(include_url=False, include_context=False)
        raise PolicyError("; ".join(map(problem_words, problems))) from error
    except (ValueError, TypeError, RecursionError) as error:
        raise PolicyError(f'expected TOML such as effect = "deny": {error}') from error
