"""Requests to the web: addresses that may be asked, connections to what was looked up, and bounded answers.

The built-in tools and the tools of APIs send what they ask for in this one way.
"""
