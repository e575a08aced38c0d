"""Work that several machines share, by Ray: the only room that knows it (extra ``cluster``)."""
