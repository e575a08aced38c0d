"""Mutation testing: small faults are put into the product, and the tests ought to notice."""
