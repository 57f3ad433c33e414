"""Icons, fonts, theme tokens, the style sheet template and help pages: data only."""
