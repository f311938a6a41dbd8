"""SQLite with durability settings checked on every connection."""
