"""What a move was worth: rates of positions, losses, grades, luck."""
