"""What runs in machine code: boards of a layer, their moves, their rates."""
