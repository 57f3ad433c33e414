"""A start of the program: one window for each data folder, painted first, with the rest loaded behind it."""
