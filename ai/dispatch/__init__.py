"""Which moves tables decide: those found are asked, and search does the rest.

`tile_profile` sees at a glance which tables can fit, `asked_table` asks one, `open_tables` knows
which there are, `leaf_rates` tells search what they know of the positions ahead, `scale` makes
their answers comparable, `dispatcher` chooses, `thinker` thinks on about one position.
"""
