"""What the Game page does, without its widgets."""
