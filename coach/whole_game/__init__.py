"""A whole game judged: by tables where they know, by search in chances everywhere else."""
