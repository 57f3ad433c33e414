"""Run calls: the deep module behind one class, `Executor` in `tools.execution.executor`.

The package itself imports nothing: worker processes and lists of tools need modules of it without the executor.
"""
