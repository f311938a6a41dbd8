"""Publications: a study checked and written as one folder that others can read."""
