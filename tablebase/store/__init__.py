"""How a table is stored on disk: a manifest and one file per layer, atomic and checksummed."""
