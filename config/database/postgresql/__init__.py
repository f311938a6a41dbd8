"""PostgreSQL whose connections are looked at without asking the server."""
