"""Help with the program itself: its pages, what is wrong with an installation, what failed."""
