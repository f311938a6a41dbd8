"""Moving the whole database to another address: every row copied, and compared by checksums."""
