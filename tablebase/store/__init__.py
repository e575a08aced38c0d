"""How a table lies on disk: a manifest and one file per layer, atomic and checksummed."""
