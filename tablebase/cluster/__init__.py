"""Work shared by several machines, using Ray: the only package that uses it (extra ``cluster``)."""
