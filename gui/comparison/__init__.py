"""A move beside the best one: why it is worse, and how both go on with the same new tiles."""
