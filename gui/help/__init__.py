"""Help: the pages of `en` and `zh_CN`, found and read in the window; and the tour of newcomers."""
