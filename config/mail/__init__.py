"""Mail that the site sends: only where EMAIL_URL names a server."""
