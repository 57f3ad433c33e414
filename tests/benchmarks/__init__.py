"""Timings, printed as ratios by `make bench`; they never decide a test."""
