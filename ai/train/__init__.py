"""How weights come about."""
