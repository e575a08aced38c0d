"""Help: the pages of `en` and `zh_CN`, with search, in the window; and the newcomers' tour."""
