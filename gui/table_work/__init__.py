"""Tables as the window needs them: found, requested, built in a queue, moved, deleted."""
