"""One position played again and again with fair tiles: how often its goal is reached."""
