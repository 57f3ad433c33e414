"""Read any JSON result: as a tree, as text, with a preview."""
