"""Reading, changing and deleting studies."""
