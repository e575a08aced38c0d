"""Planning: the cost of a build, and which tables are worth building."""
