"""Pairs of contexts of a reused quote, judged by people for topic relatedness (Periti et al. 2024, TRoTR). No Spark.

A *target* is a reused text; a *use* is one context of it with the span of the target marked; a *pair* holds two uses
of one target; a *judgment* is what one annotator said of a pair: 1 (unrelated) to 4 (the same topic), or undecided.
"""
