"""What calls may do without a question: the remembered rules, and the permissions of tools and sources."""
