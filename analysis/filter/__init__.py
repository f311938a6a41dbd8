"""What a report is asked: the question, its fields, their form and which report uses which."""
