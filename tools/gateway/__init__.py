"""Let agents call the tools of this computer, each call judged, asked about and recorded like any other.

`endpoint` listens on the loopback address and knows an agent by its token (`agents`). `agent_server` speaks MCP of both
eras; `served_tools`, `served_prompts` and `served_resources` are what an agent is told of, `announcements` what it is
told unasked, `completions` what it may write; `handed_on` gives it results as servers wrote them, `client_questions`
what servers ask. `held_calls` keeps a call that waits for a person beyond the request that made it; `answers` are the
words for what became of it. `bridge` passes messages on for agents that start programs and know no addresses.
"""
