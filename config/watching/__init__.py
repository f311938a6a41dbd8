"""What machines and administrators watch the site by."""
