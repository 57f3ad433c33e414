"""The gateway: switched on and off, with the agents that may call the tools through it, beside the servers."""
