"""Charts of lines."""
