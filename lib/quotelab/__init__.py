"""The bench: papers, protocols, training, labels and synthetic corpora. Imports quotelake, never the reverse."""
