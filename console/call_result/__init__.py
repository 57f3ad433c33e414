"""One call as a view of its own: its result, log, attachments and timing; pages of tools and the history show it."""
