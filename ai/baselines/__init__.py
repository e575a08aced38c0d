"""The players of the literature, to compare with, simplest first."""
