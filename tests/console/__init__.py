"""Tests of the Qt application."""
