"""The Assistant page: conversations with a model that uses the tools, and the person who agrees to its calls."""
