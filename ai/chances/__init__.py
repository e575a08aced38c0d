"""How likely the next large tile is, from any position: what search finds, put as a chance."""
