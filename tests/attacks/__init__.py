"""Attempts of an attacker, or of bad luck, each as a class of faults: what must not happen does not."""
