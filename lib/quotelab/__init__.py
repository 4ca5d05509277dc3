"""The bench: papers, protocols, training, labels and synthetic corpora. Imports quotelake, never the reverse.

What a person gives wrongly, a file, a row or an option, is an InputError whose message says what to change.
"""
