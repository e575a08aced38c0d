"""The painted board: tiles, motion, heat, formations."""
