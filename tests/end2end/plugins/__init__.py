"""Plugin files for end-to-end tests; loaded by path, never imported."""
