"""The Health page: which tools work, which are slow, since when and why."""
