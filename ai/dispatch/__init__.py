"""Dispatching moves to tables and search: tables decide where they can, search does the rest.

`tile_profile` quickly filters the tables that can apply, `cached_table` queries one, `open_tables`
lists them, `leaf_rates` passes their rates to search, `scale` makes their answers comparable,
`dispatcher` chooses, `thinker` analyzes one position for longer.
"""
