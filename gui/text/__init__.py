"""Numbers, rates, boards and tables as a person reads them."""
