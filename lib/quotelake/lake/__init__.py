"""The lake: Delta tables under one directory, read, written, looked up and kept up here and nowhere else."""
