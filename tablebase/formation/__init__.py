"""Formations: what patterns_config.json says, checked, and where large tiles may stand."""
