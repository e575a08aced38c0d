"""The page Routes: the same new tiles for everyone who has the code."""
