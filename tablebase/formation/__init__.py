"""Formations: the checked contents of patterns_config.json, and where large tiles may stand."""
