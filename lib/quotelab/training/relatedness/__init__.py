"""Relatedness of two sentences from stored vectors and overlap: what is trained, and the choice among it. No Spark."""
