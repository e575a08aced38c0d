"""What pages with a board share: lookups, edits, the clock of a move, an AI that plays."""
