"""A synthetic news corpus of any size with its truth: which quotes are the same, and where each stands. No Spark.

All texts, outlets, people and places are invented.
"""
