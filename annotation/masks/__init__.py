"""Masked texts of a campaign: made, reviewed and corrected."""
