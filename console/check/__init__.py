"""The Check tab: prove a tool with generated calls, and see which of them show a fault."""
