"""All that a person made here in one file, and back; tables are too large for it."""
