"""Backups of the whole site: made while it runs, verified, and restored whole or not at all."""
