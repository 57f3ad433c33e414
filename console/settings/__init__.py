"""The settings of tools: which values they are given, and which toolkits and tools are disabled."""
