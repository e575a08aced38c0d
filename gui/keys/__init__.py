"""The keys of all actions: one key, one meaning."""
