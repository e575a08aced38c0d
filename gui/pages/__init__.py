"""One module for each page; `page.py` says what the window expects of them."""
