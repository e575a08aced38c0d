"""Tables of other programs: used directly, checked, imported."""
