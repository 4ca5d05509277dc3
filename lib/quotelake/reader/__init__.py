"""A language model as a second reader of headline quotes: what it is asked, by whom, and what of its answers counts."""
