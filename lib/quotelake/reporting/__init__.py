"""What people read: summaries and documents. Computes no score."""
