"""Work off the thread of the window, and databases behind it."""
