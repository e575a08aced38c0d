"""The minigames: the gallery, and the board to play them on."""
