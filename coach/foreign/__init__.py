"""What the other program kept besides tables: found, read, and planned to take over."""
