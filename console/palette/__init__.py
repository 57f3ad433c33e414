"""The command palette: everything that has a name, found by typing."""
