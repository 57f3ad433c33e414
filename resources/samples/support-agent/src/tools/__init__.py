"""What the agents may do."""
