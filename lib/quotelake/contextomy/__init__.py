"""Headline quotes held against the body: string rules, lexical containment, one transparent formula."""
