"""The window: its pages, its keys, where everything is made and put together."""
