"""What a board is worth: lines of cells, networks of tuples, and their files."""
