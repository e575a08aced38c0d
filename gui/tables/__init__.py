"""Tables as the window knows them: found, built, checked, deleted."""
