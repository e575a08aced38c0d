"""Services for pages: tasks off the GUI thread, settings, keys, lookups, files."""
