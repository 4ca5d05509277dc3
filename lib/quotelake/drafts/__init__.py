"""A text against its sources: whether each quotation of a draft is in a transcript, an article or the archive."""
