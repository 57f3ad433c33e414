"""Tests of the framework: no Qt in here."""
