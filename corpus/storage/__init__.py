"""What the database keeps, in which order it is written, and what is removed."""
