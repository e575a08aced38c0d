"""What the Analysis page does, without its widgets."""
