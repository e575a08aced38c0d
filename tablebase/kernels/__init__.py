"""Machine code for the boards of a layer, their moves and their rates."""
