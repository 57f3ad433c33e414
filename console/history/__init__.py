"""The History page and a tool's History tab: every call ever made, to search, look at, compare and run again."""
