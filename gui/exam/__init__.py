"""The Test page: taking a test, its result, those of the past."""
