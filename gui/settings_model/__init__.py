"""The settings of the user: what there are, their values in files, the state of the window."""
