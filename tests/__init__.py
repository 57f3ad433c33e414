"""Tests of Tool Console; `tests/tools` and `tests/console` mirror the packages they test."""
