"""Twenty variants of 2048: pure rules on plain state, with no window, no clock and no files."""
