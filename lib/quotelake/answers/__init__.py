"""Answers of a lake as values: alerts explained, the ranking, the morning, reviews; words. Computes no score."""
