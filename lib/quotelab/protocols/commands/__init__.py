"""The commands of the protocols: options to report."""
