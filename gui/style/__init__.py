"""Colors, style sheet, icons."""
