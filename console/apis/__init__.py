"""APIs whose operations are tools: looked at, added, allowed, changed and removed."""
