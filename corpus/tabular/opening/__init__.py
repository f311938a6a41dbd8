"""Files of users opened: unpacked, decoded, loaded as tables."""
