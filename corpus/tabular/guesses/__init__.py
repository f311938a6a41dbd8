"""What columns hold, and which tables a file may be read as."""
