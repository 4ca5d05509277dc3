"""Output for people: the summary, the alert page, rankings, reviews and references. Computes no score."""
