"""The game itself: boards, moves, symmetries, spawns. No clock, no disk, no window."""
