"""Before a build: what it will take, and what is worth building."""
