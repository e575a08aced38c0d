"""What the Test page does, without its widgets."""
