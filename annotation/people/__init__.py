"""Who rates: invited, added, withdrawn and forgotten."""
