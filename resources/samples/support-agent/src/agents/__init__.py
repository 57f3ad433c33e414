"""Agents that answer tickets."""
