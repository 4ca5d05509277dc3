"""Evaluation against labels of people: metrics, one module per protocol, and the report all of them give."""
