"""The page Progress: where a person loses most, and ten-minute trainings based on that."""
