"""The tools dock: every tool by source and group, with a filter."""
