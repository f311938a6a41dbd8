"""The page on which owners see and correct the masked texts of a campaign."""
