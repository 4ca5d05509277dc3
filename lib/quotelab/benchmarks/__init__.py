"""What the bench measures: speed, memory and hostile texts."""
