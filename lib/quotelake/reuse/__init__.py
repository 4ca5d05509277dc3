"""Which quotes are the same one, reused."""
