"""Quotations: marks and their pairing, kinds, comparison keys, and the extraction of quotes from documents."""
