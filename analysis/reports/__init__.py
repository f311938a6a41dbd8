"""Reports: plain JSON built from arrays and the pure statistics, stored under a signature."""
