"""The rank space: every board of a layer has a number; row tables to find it fast."""
