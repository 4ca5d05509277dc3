"""What a lake says, as values: alerts and their explanations, the ranking, trends, reviews. Computes no score."""
