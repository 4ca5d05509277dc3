"""The bench: papers, protocols, training, labels and synthetic corpora. It imports quotelake and is never imported by it."""
