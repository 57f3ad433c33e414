"""What models are told of a tool: the Wire tab with what each provider is sent, and the Schema tab."""
