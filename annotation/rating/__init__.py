"""A screen of work: its texts, drafts and submissions."""
