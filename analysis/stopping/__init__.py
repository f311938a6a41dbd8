"""Rules of stopping looked at: what campaigns with a rule have found so far, and what it means."""
