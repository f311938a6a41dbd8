"""Pages and forms of studies."""
