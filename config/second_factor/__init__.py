"""A second factor beside the password: codes of an authenticator app (RFC 6238)."""
