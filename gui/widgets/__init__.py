"""Things that draw and emit; they know no rules and ask nobody."""
