"""What moves a judge beside what it is to judge."""
