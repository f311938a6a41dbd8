"""What a campaign says of itself in a paper: the datasheet, its files and a paragraph."""
