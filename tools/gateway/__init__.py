"""Let agents call the tools of this computer, each call judged, asked about and recorded like any other.

- Who: `agents` and their `profiles`; `clients` writes the gateway into the settings of their programs.
- The way in: `endpoint` listens on the loopback address, and `http_timeouts` ends slow connections. Programs that know
  no addresses start a `bridge`, which passes lines on to the `bridge_server` over a private socket. `authentication`
  knows whose a request is, and `admission` when it begins.
- One program serves, named in the `owner_note`: `handover` gives what it holds to the next one, which asks as
  `handover_questions` what tools of the former one ask; `background` starts one without a window, and `started_calls`
  remembers across crashes what may have run.
- What an agent is told: `agent_server` speaks MCP of both eras; `served_tools`, `served_prompts`, `served_resources`,
  `completions` and `announcements` are its parts, and `handed_on` keeps what servers wrote as they wrote it.
- Calls: `agent_calls` makes them and answers in the way of each client, with `agent_tasks`, the sealed `request_states`
  or a plain result in the words of `answers`. `held_calls` keeps a call beyond the request that made it, `hold_times`
  knows how long clients bear to wait. `client_questions` and `open_requests` pass on what servers ask.
"""
