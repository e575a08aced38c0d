"""The hot loops of the engine as machine code. Importing these modules loads numba."""
