"""The forms in which owners prepare a campaign."""
