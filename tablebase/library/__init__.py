"""Which tables there are, and opening them."""
