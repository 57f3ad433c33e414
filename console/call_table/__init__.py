"""The table of calls that the Activity list and the history share: its columns, its painting, its keys."""
