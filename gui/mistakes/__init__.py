"""What the Mistakes page does, without its widgets."""
