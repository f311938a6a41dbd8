"""Campaigns: who may do what with them, drafts, edits, progress and deletion."""
