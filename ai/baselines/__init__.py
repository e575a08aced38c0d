"""Players from the literature for comparison, simplest first."""
