"""Near-duplicate texts: wire copies and rewritten articles, found by sampled shingles, grouped into stories."""
