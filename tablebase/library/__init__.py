"""Finding and opening tables."""
