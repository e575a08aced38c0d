"""Look-ups in finished tables, and their verification."""
