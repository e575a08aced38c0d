"""What pages work with: tasks off the GUI thread, settings, keys, look-ups, files."""
