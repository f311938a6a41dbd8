"""What corpus does with segments, systems and outputs on their way in and out."""
