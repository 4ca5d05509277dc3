"""Texts to unit vectors: the model on disk, the encoder (torch, no Spark), its batches, and the Spark stage."""
