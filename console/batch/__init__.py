"""The Batch page: a plan as table, graph and timeline, run, paused, mended and resumed."""
