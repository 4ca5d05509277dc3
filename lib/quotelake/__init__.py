"""Quotelake: who is quoted saying what, which headlines bend it, and how quotes travel from topic to topic."""

__version__ = "0.1.0"
