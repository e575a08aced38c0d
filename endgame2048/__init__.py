"""The 2048 endgame trainer; installed, all of its packages and files lie in here."""

__version__ = "0.1.0"
