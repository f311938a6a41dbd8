"""The planning report: where variance comes from and how large a new study must be."""
