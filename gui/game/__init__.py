"""A game to play, with the AI to help, or to watch it play."""
