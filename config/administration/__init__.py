"""The page for administrators: jobs, storage, errors, checks, backups, and the log."""
