"""The real program, started in a process of its own."""
