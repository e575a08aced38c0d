"""Working memory: arrays that may lie in mapped files, and how much they may take."""
