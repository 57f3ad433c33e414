"""Questions about calls, asked in a dialog: the desk that keeps them, and the dialog that shows the oldest."""
