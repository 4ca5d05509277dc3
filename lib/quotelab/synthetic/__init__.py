"""A synthetic news corpus of any size with its truth: which quotes are the same, and where each stands. No Spark.

``vocabulary`` holds the words, ``wording`` makes quotes of them that are far apart, ``mutations`` changes a quote as
writers do, ``groups`` decides how often and in which topics a quote is used, ``writing`` writes an article around
quotes, ``stories`` yields one story after another, ``files`` writes them to a folder, with their truth (``truth``).

The same plan gives the same articles, and a larger corpus begins with those of a smaller one. All texts, outlets,
people and places are invented.
"""
