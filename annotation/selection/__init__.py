"""What a campaign rates: systems, segments, and the screens that they are laid out on."""
