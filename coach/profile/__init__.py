"""Where a person loses most, from recorded facts, and ten-minute trainings based on that."""
