"""Which moves tables decide: those found are asked, and search does the rest.

`standing` sees at a glance which tables can fit, `asked_table` asks one, `shelf` knows which there
are, `leaf_rates` tells search what they know of the positions ahead, `scale` makes their answers
comparable, `dispatcher` chooses.
"""
