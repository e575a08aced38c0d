"""The window: its pages, its keys, and the wiring of everything."""
