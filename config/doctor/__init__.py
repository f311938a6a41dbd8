"""What `manage.py doctor` looks at: each check returns what it found, and what to do."""
