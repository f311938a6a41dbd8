"""Panels: how people whom a crowd platform sends come, leave with a code, and are paid."""
