"""Exact answers: the success rate of every board of a formation, computed, stored, looked up."""
