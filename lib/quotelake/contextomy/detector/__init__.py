"""The detector of contextomized headline quotes: its model file, and the features it weighs."""
