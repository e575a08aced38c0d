"""The rank space: every board of a layer has a number, and the tables that kernels look it up in."""
