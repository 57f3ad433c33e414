"""Look at source code: what it declares, where names are used, how long and how branched it is, what it needs."""

from __future__ import annotations

from tools.catalog.code_dependencies import CodeDependencies
from tools.catalog.code_measures import MeasuringCode
from tools.catalog.code_symbols import CodeSymbols
from tools.declare import toolkit


@toolkit("Code", category="code", description="Outline source code, find names in it, measure it, list what it needs.")
class Code(CodeSymbols, MeasuringCode, CodeDependencies):
    """Look at source code."""
