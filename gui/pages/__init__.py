"""What a page is, and what it gets from the program."""
