"""What the Practice page does, without its widgets."""
