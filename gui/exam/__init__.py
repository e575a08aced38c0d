"""The Test page: taking a test, its result, and the history."""
