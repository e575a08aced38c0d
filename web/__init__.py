"""The program over HTTP, for browsers and other programs; needs the extra ``web``."""
