"""What a person did here, in one database: ``user.db``."""
