"""The hot loops of the engine as machine code. Its users pay for loading numba; others need not."""
