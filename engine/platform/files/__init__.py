"""Files: written atomically, locked, read within bounds, appended line by line."""
