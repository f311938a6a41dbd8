"""Signing in by an OpenID Connect provider, and the roles that its groups give."""
