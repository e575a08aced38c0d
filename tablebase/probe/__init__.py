"""Lookups in finished tables, and their verification."""
