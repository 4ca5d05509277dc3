"""Evaluation against labels of people: metrics, one module per protocol, and their report; benchmarks; fuzzing."""
