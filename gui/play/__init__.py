"""What pages with a board share: an AI that plays."""
