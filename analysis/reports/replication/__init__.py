"""The replication report: published values compared with recomputed ones."""
