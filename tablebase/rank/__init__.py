"""The rank space: every board of a layer has a number; tables of rows to find it fast."""
