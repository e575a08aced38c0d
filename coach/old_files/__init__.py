"""Reading what versions before ``user.db`` kept in files and databases of their own, for ever."""
