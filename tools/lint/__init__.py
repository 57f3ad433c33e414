"""What is wrong with how a tool is described to a model: its name, words, parameters and examples, and what they cost.

Source: seed 2, "Best practices", and seed 1, "Design checklist".
"""

from tools.lint.findings import FINDING_WORDS, Finding, LintRule, Severity
from tools.lint.rules import lint_registry, lint_tool, name_collisions
from tools.lint.tokens import TokenCosts, ToolLint, estimated_tokens, token_costs

__all__ = [
    "FINDING_WORDS",
    "Finding",
    "LintRule",
    "Severity",
    "TokenCosts",
    "ToolLint",
    "estimated_tokens",
    "lint_registry",
    "lint_tool",
    "name_collisions",
    "token_costs",
]
