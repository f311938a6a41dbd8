"""What this room registers at start."""
