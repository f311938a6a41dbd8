"""Signing in and accounts: what django-allauth is told, and what it leaves to the site."""
