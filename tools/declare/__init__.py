"""Declare tools: decorators for functions, methods and classes, and what turns them into `Tool`s."""

from tools.declare.abstract import AbstractTool, AgentTool, ToolMaker
from tools.declare.applications import ClassName, class_name, supports
from tools.declare.build import Bundle, bundle_of, has_tools, make_tool, resolve_tools
from tools.declare.decorators import prompt, supported_for, tool, toolkit
from tools.declare.pipeline import PipelineStep, ToolPipeline
from tools.declare.process import process_tool

__all__ = [
    "AbstractTool",
    "AgentTool",
    "Bundle",
    "ClassName",
    "PipelineStep",
    "ToolMaker",
    "ToolPipeline",
    "bundle_of",
    "class_name",
    "has_tools",
    "make_tool",
    "process_tool",
    "prompt",
    "resolve_tools",
    "supported_for",
    "supports",
    "tool",
    "toolkit",
]
