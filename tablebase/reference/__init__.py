"""Tables of 2048EndgameTablebase: opened as they are, checked, or converted into our own."""
