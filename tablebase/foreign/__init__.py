"""Tables of other programs: read as they are, checked, imported."""
