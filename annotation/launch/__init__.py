"""From a campaign that is prepared to one that is open."""
