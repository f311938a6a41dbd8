"""Files of users, opened in a process of their own with limits of memory and time."""
