"""The page of one open tool: its arguments, its runs, what came of them."""
