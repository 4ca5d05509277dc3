"""A synthetic news corpus of any size with its truth: which quotes are the same, and where each stands. No Spark.

``wording`` makes quotes that are far apart, ``mutations`` changes a quote as writers do, ``groups`` decides how often
and in which topics a quote is used, ``stories`` writes articles around quotes, one story after another, ``generate``
writes them to a folder, with their truth. All texts, outlets, people and places are invented.
"""
