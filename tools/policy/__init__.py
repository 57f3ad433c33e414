"""Rules about calls: which may run, which are asked about, which are refused.

A `Policy` puts the session's, the person's and the project's rules together with the autonomy level. It only judges:
what it says is carried out by the `Executor` alone.

The project's rules can only tighten what the session's and the person's rules say. All rules together are one frozen
value, replaced as a whole, so any thread may ask. A tool without rules costs one look-up per call.
"""

from tools.policy.denylist import DENYLIST_NAME
from tools.policy.digest import call_digest
from tools.policy.file import user_policy_file
from tools.policy.judging import ToolView
from tools.policy.policy import Policy, Undo, Unwatch, new_rule_id
from tools.policy.replay import PastCall, Tested, would_have
from tools.policy.risk import Risk, risk_of
from tools.policy.rule_uses import RuleUses
from tools.policy.rules import Autonomy, Comparison, Effect, Permission, Predicate, Rule, RuleLocation, RuleMoment
from tools.policy.suggested_rules import RuleOffer, RuleScope
from tools.policy.verdicts import Facts, PlacedRule, ResultVerdict, Verdict
from tools.policy.wording import AUTONOMY_WORDS, RISK_WORDS, hint_words, rule_words, taken_words

__all__ = [
    "AUTONOMY_WORDS",
    "DENYLIST_NAME",
    "RISK_WORDS",
    "Autonomy",
    "Comparison",
    "Effect",
    "Facts",
    "PastCall",
    "Permission",
    "PlacedRule",
    "Policy",
    "Predicate",
    "ResultVerdict",
    "Risk",
    "Rule",
    "RuleLocation",
    "RuleMoment",
    "RuleOffer",
    "RuleScope",
    "RuleUses",
    "Tested",
    "ToolView",
    "Undo",
    "Unwatch",
    "Verdict",
    "call_digest",
    "hint_words",
    "new_rule_id",
    "risk_of",
    "rule_words",
    "taken_words",
    "user_policy_file",
    "would_have",
]
