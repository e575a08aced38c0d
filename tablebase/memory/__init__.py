"""Working memory: arrays that may be in mapped files, and limits on their size."""
