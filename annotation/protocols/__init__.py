"""What annotators are asked, and on which scale."""
