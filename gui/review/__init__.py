"""What the Review page does, without its widgets."""
