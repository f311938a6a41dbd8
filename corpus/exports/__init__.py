"""Export: one zip with the same tables, a description and checksums."""
