"""The chance of the next large tile from any position, derived from search values."""
