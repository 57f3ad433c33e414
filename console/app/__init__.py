"""The composition root: makes services and panes, and wires them to each other."""
