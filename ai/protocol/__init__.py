"""The engine for other programs: lines in, lines out. docs/engine.md describes them."""
